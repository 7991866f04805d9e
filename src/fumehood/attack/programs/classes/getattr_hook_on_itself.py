# aim: let an attribute hook be found that answers forbidden names with real ones
# mechanism: __getattr__ that delegates to a library function
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import json


class Window:
    def __getattr__(self, name):
        return getattr(json.dumps, f"__{name}__")


loot(Window().globals)
