# aim: read the code of a generator
# mechanism: gi_code
# language: check
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

def steps():
    yield


loot(steps().gi_code)
