# aim: read the builtins a library function runs with
# mechanism: functions carry __builtins__ since 3.10
# language: check
# reason: those are the real builtins, open and eval among them
# jail: process
# plain: loot

import json

loot(json.dumps.__builtins__)
