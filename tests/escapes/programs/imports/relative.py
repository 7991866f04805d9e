# Import relative to the package of the program.
# mechanism: from . import name, level one
# stopped by: view
# reason: a program is in no package
# control: none (a program that is in no package cannot import relatively in plain Python either)

from . import loot as module

loot(module)
