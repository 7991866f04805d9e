# aim: find a secret of the host among all objects of the interpreter
# mechanism: gc.get_objects and gc.get_referents
# language: check
# reason: the policy does not authorize gc
# jail: exec
# plain: succeeds
# expect: held
import gc

def search():
    found = set()
    for thing in gc.get_objects():
        for inner in gc.get_referents(thing):
            if type(inner) is str and CANARY.fullmatch(inner.encode("utf-8", "replace")):
                found.add(inner)
    return sorted(found)

judge(search)
