# Bind a forbidden name by the alias of a module import.
# mechanism: `import x as name`
# stopped by: check
# reason: forbidden names are refused wherever a name can be bound
# control: none (binding the name to a module has no effect outside a guarded namespace)

import math as __builtins__
