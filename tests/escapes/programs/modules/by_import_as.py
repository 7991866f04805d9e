# Import a module's module as if it were a submodule.
# mechanism: import random._os as found
# stopped by: view
# reason: a module found inside a module is a view or absent
# control: none (plain Python refuses it too; fumehood must refuse it by its own rules)

import random._os as found
