# Read the builtins a module was executed with.
# mechanism: __builtins__ as an attribute of a module
# stopped by: check
# reason: those are the real builtins, open and eval among them

import json

loot(json.__builtins__)
