# Take a module out of another by a dotted name.
# mechanism: operator.attrgetter on a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import dataclasses
import operator

loot(operator.attrgetter('inspect.os')(dataclasses))
