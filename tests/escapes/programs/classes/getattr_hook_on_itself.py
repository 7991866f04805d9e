# Let an attribute hook be found that answers forbidden names with real ones.
# mechanism: __getattr__ that delegates to a library function
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import json


class Window:
    def __getattr__(self, name):
        return getattr(json.dumps, f"__{name}__")


loot(Window().globals)
