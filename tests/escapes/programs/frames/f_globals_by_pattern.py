# Read the globals of a frame by class patterns only.
# mechanism: keyword patterns on a generator
# stopped by: check
# reason: a class pattern reads the attributes it names

def steps():
    yield


match steps():
    case object(gi_frame=object(f_builtins=found)):
        loot(found)
