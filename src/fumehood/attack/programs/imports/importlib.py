# aim: use the import machinery itself
# mechanism: import importlib
# language: check
# reason: importlib imports anything
# jail: process
# plain: loot

import importlib

loot(importlib)
