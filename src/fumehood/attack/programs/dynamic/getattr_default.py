# aim: give a default, so that a refusal that looks like a missing attribute goes unnoticed
# mechanism: the three-argument form
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import json

loot(getattr(json.dumps, "__glo" + "bals__", None))
