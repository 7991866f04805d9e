# aim: call a forbidden method by name
# mechanism: operator.methodcaller
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

import operator

loot(operator.methodcaller("__subclasses__")(object))
