# Import hidden names with an explicit list.
# mechanism: from random import _os
# stopped by: view
# reason: private names of modules are not given

from random import _os

loot(_os)
