# aim: read the builtins a module was executed with
# mechanism: __builtins__ as an attribute of a module
# language: check
# reason: those are the real builtins, open and eval among them
# jail: process
# plain: loot

import json

loot(json.__builtins__)
