# aim: take the raw format method from a proxy whose class is untrue
# mechanism: weakref.proxy of a string whose __class__ is another
# language: guard
# reason: the object that an attribute access returned is checked, not its owner
# jail: process
# plain: loot

import weakref


class Text(str):
    __class__ = property(lambda self: int)


text = Text("{0.__globals__}")
loot(weakref.proxy(text).format)
