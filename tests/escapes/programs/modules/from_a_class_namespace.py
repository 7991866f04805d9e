# Take a class of the import machinery out of a library module.
# mechanism: classes that a module imported for itself: dataclasses.FunctionType, functools.RLock
# stopped by: view
# reason: what a module imported is not what it offers

import dataclasses

loot(dataclasses.inspect.currentframe())
