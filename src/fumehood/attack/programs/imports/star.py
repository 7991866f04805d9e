# aim: import everything from a module and look for what should be hidden
# mechanism: from json import *
# language: view
# reason: a star import gives the public names of the view
# jail: process
# plain: loot

from json import *

for value in list(globals().values()):
    loot(value)
loot(JSONEncoder.encode.__globals__)
