# Read the code of a generator.
# mechanism: gi_code
# stopped by: check
# reason: a code object can be replaced by one that no check has seen

def steps():
    yield


loot(steps().gi_code)
