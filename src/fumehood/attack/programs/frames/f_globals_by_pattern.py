# aim: read the globals of a frame by class patterns only
# mechanism: keyword patterns on a generator
# language: check
# reason: a class pattern reads the attributes it names
# jail: process
# plain: loot

def steps():
    yield


match steps():
    case object(gi_frame=object(f_builtins=found)):
        loot(found)
