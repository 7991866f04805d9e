# Read the code object of a function, from which changed code can be made.
# mechanism: __code__ of a lambda
# stopped by: check
# reason: a code object can be replaced by one that no check has seen

loot((lambda: 0).__code__)
