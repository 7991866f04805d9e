# aim: take the descriptor of __globals__ out of the function type and let a class bind it
# mechanism: the values of a class dictionary, walked without naming a key
# language: builtins
# reason: a class dictionary hands out every descriptor by computed name
# jail: process
# plain: loot

import json

for name, descriptor in vars(type(json.dumps)).items():
    if "bals" in name:
        loot(descriptor.__get__(json.dumps))
