# aim: let itertools call getattr
# mechanism: itertools.starmap
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import itertools
import json

loot(list(itertools.starmap(getattr, [(json.dumps, "__globals__")])))
