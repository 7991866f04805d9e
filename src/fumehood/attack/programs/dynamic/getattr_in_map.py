# aim: let map call getattr
# mechanism: getattr as a function among others
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import json

loot(list(map(getattr, [json.dumps], ["__globals__"])))
