# aim: get hold of the code type, with which code can be made from bytes
# mechanism: type() of a code object
# language: check
# reason: __code__ is refused, whatever is done with it
# jail: process
# plain: loot

loot(type((lambda: 0).__code__))
