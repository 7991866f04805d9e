# Give a default, so that a refusal that looks like a missing attribute goes unnoticed.
# mechanism: the three-argument form
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import json

loot(getattr(json.dumps, "__glo" + "bals__", None))
