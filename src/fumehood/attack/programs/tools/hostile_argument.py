# aim: hand a tool an object that acts when the host looks at it
# mechanism: every special method the host may call
# language: run
# reason: what a hostile argument raises ends the call, not the host
# jail: wire
# plain: none (whether the host survives is what is tested)

class Hostile:
    def __getattribute__(self, name):
        raise SystemExit(name)

    def __repr__(self):
        raise SystemExit("repr")

    __str__ = __eq__ = __bool__ = __len__ = __iter__ = __format__ = __hash__ = __repr__


loot(Hostile())
