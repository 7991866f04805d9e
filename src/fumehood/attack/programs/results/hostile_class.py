# aim: return a value that lies about its class and ends the host when asked for it
# mechanism: __class__ as a property that raises
# language: run
# reason: the type of a value is asked for in a way the value cannot answer
# jail: wire
# plain: none (whether the host survives is what is tested)

class Value:
    @property
    def __class__(self):
        raise SystemExit("while the value was looked at")

    def __getattribute__(self, name):
        raise SystemExit(name)


Value()
