# aim: take the real warnings module out of a context manager
# mechanism: catch_warnings keeps its module in an attribute
# language: view
# reason: library objects that hold modules are replaced
# jail: process
# plain: loot

import warnings

loot(warnings.catch_warnings()._module)
