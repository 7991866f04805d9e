# Take the descriptor of __globals__ out of the function type and bind it by hand.
# mechanism: type(f).__globals__.__get__
# stopped by: check
# reason: the descriptor reads what the attribute reads

import json

loot(type(json.dumps).__globals__.__get__(json.dumps))
