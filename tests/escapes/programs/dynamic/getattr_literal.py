# Read a forbidden attribute by getattr.
# mechanism: the name is a literal string
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import json

loot(getattr(json.dumps, "__globals__"))
