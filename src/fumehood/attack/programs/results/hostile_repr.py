# aim: return a value that ends the host when it is shown
# mechanism: __repr__ raises SystemExit
# language: run
# reason: a value is not asked for its text outside the cell
# jail: wire
# plain: none (whether the host survives is what is tested)

class Value:
    def __repr__(self):
        raise SystemExit("while the value was shown")

    __str__ = __format__ = __repr__


Value()
