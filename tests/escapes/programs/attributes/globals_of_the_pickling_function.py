# Read the namespace of the function that pickling uses to rebuild objects.
# mechanism: __reduce_ex__ returns a function of copyreg
# stopped by: check
# reason: __reduce_ex__ hands out functions of modules that are not authorized

class Plain:
    pass


loot(Plain().__reduce_ex__(2)[0].__globals__)
