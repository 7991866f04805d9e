# aim: leave variables behind whose names are hostile
# mechanism: globals() takes any key
# language: run
# reason: the host reads variables by exact text
# jail: wire
# plain: none (whether the host survives is what is tested)

class Name(str):
    def __hash__(self):
        return hash("x")

    def __eq__(self, other):
        raise SystemExit("while the variables were looked up")

    __str__ = __repr__ = startswith = isidentifier = __hash__


globals()[Name("x")] = 1
globals()[7] = 2
globals()[None] = 3
# ---
x = 1
