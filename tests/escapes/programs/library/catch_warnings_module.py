# Take the real warnings module out of a context manager.
# mechanism: catch_warnings keeps its module in an attribute
# stopped by: view
# reason: library objects that hold modules are replaced

import warnings

loot(warnings.catch_warnings()._module)
