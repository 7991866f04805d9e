# Import a function as if it were a module.
# mechanism: import os.system
# stopped by: check
# reason: there is no such module, and os does not hold the function
# control: none (plain Python refuses it too; fumehood must refuse it by its own rules)

import os.system
