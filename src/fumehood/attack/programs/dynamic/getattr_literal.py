# aim: read a forbidden attribute by getattr
# mechanism: the name is a literal string
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import json

loot(getattr(json.dumps, "__globals__"))
