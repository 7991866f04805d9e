# aim: read two forbidden attributes by nested class patterns
# mechanism: the pattern of a keyword is again a class pattern
# language: check
# reason: a class pattern reads the attributes it names
# jail: process
# plain: loot

def steps():
    yield


match [steps()]:
    case [object(gi_frame=object(f_globals=found))]:
        loot(found)
