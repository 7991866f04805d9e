# aim: read the code object of a function, from which changed code can be made
# mechanism: __code__ of a lambda
# language: check
# reason: a code object can be replaced by one that no check has seen
# jail: process
# plain: loot

loot((lambda: 0).__code__)
