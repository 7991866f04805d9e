# aim: read the namespace of the function that pickling uses to rebuild objects
# mechanism: __reduce_ex__ returns a function of copyreg
# language: check
# reason: __reduce_ex__ hands out functions of modules that are not authorized
# jail: process
# plain: loot

class Plain:
    pass


loot(Plain().__reduce_ex__(2)[0].__globals__)
