# Take a module out of another by from-import.
# mechanism: from enum import bltns
# stopped by: view
# reason: a module found inside a module is a view or absent

from enum import bltns

loot(bltns)
