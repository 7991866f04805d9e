# aim: put the forbidden name together while running
# mechanism: getattr with concatenated text
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import json

loot(getattr(json.dumps, "".join(reversed("__slabolg__"))))
