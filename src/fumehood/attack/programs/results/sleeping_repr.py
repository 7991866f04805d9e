# aim: return a value that never comes back when it is shown
# mechanism: __repr__ loops for ever
# language: run
# reason: showing a value is inside the time limit, or is not done at all
# jail: wire
# plain: none (whether the host hangs is what is tested)

class Value:
    def __repr__(self):
        while True:
            pass

    __str__ = __repr__


Value()
