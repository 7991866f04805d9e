# aim: bind a forbidden name by the alias of a module import
# mechanism: `import x as name`
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (binding the name to a module has no effect outside a guarded namespace)

import math as __builtins__
