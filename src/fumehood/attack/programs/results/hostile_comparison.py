# aim: return a value that ends the host when it is compared or hashed
# mechanism: __eq__, __hash__, __bool__ and __len__ raise KeyboardInterrupt
# language: run
# reason: a value is not compared, hashed or asked for its truth
# jail: wire
# plain: none (whether the host survives is what is tested)

class Value:
    def __eq__(self, other):
        raise KeyboardInterrupt

    __ne__ = __lt__ = __contains__ = __eq__

    def __hash__(self):
        raise KeyboardInterrupt

    __bool__ = __len__ = __iter__ = __index__ = __int__ = __hash__


Value()
