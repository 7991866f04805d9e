# aim: take the descriptor of __globals__ out of the function type and bind it by hand
# mechanism: type(f).__globals__.__get__
# language: check
# reason: the descriptor reads what the attribute reads
# jail: process
# plain: loot

import json

loot(type(json.dumps).__globals__.__get__(json.dumps))
