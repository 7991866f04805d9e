# Find the forbidden names without spelling them and read each.
# mechanism: dir() and getattr in a loop
# stopped by: builtins
# reason: computed names obey the same tables, wherever they come from

import json

for name in dir(json.dumps):
    try:
        loot(getattr(json.dumps, name))
    except Exception:
        pass
