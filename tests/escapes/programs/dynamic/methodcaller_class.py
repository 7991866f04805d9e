# Get the unguarded methodcaller back from what the guarded one returns.
# mechanism: type() of what the guarded methodcaller returns
# stopped by: builtins
# reason: what a guard returns must not lead to what it guards

import operator

loot(type(operator.methodcaller("mro"))("__subclasses__")(object))
