# Put the forbidden name together while running.
# mechanism: getattr with concatenated text
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import json

loot(getattr(json.dumps, "".join(reversed("__slabolg__"))))
