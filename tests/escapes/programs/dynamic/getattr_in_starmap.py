# Let itertools call getattr.
# mechanism: itertools.starmap
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import itertools
import json

loot(list(itertools.starmap(getattr, [(json.dumps, "__globals__")])))
