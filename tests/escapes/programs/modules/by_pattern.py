# Take a module out of another by a class pattern.
# mechanism: a keyword pattern on a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import random

match random:
    case object(_os=found):
        loot(found)
