# Call a forbidden method by name.
# mechanism: operator.methodcaller
# stopped by: builtins
# reason: computed names obey the same tables as spelled ones

import operator

loot(operator.methodcaller("__subclasses__")(object))
