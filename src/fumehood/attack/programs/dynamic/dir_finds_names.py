# aim: find the forbidden names without spelling them and read each
# mechanism: dir() and getattr in a loop
# language: builtins
# reason: computed names obey the same tables, wherever they come from
# jail: process
# plain: loot

import json

for name in dir(json.dumps):
    try:
        loot(getattr(json.dumps, name))
    except Exception:
        pass
