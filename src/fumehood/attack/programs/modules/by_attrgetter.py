# aim: take a module out of another by a dotted name
# mechanism: operator.attrgetter on a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import dataclasses
import operator

loot(operator.attrgetter('inspect.os')(dataclasses))
