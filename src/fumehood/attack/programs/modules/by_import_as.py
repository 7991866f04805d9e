# aim: import a module's module as if it were a submodule
# mechanism: import random._os as found
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: none (plain Python refuses it too; fumehood must refuse it by its own rules)

import random._os as found
