# Exceptions raised by special methods come out unchanged.
class Moody:
    def __len__(self): raise LookupError("len")
    def __bool__(self): raise ArithmeticError("bool")
    def __eq__(self, other): raise ValueError("eq")
    def __iter__(self): raise NotImplementedError("iter")
    def __repr__(self): raise RuntimeError("repr")
    def __getattr__(self, name): raise AttributeError(f"no {name}")
    def __hash__(self): raise TypeError("hash")


m = Moody()
for attempt in (len, bool, lambda x: x == 1, list, repr, lambda x: x.foo, hash, lambda x: 1 in [x], lambda x: f"{x!r}"):
    try:
        attempt(m)
    except Exception as error:
        print(type(error).__name__, error)
