# Get hold of the code type, with which code can be made from bytes.
# mechanism: type() of a code object
# stopped by: check
# reason: __code__ is refused, whatever is done with it

loot(type((lambda: 0).__code__))
