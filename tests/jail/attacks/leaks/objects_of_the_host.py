# aim: find a secret of the host among all objects of the interpreter
# layer: exec
# expect: held
# plain: succeeds
import gc

def search():
    found = set()
    for thing in gc.get_objects():
        for inner in gc.get_referents(thing):
            if type(inner) is str and CANARY.fullmatch(inner.encode("utf-8", "replace")):
                found.add(inner)
    return sorted(found)

judge(search)
