# Use the import machinery itself.
# mechanism: import importlib
# stopped by: check
# reason: importlib imports anything

import importlib

loot(importlib)
