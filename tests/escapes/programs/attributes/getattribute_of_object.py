# Read a forbidden attribute with the primitive of object and a computed name.
# mechanism: object.__getattribute__ takes the name as a string
# stopped by: builtins
# reason: a raw primitive reads any attribute by computed name

import json

loot(object.__getattribute__(json.dumps, "__glo" + "bals__"))
