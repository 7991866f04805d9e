# aim: import a function as if it were a module
# mechanism: import os.system
# language: check
# reason: there is no such module, and os does not hold the function
# jail: process
# plain: none (plain Python refuses it too; fumehood must refuse it by its own rules)

import os.system
