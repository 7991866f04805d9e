# Let map call getattr.
# mechanism: getattr as a function among others
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import json

loot(list(map(getattr, [json.dumps], ["__globals__"])))
