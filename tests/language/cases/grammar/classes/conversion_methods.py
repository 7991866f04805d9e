# Conversions to numbers, text, bytes and indexes use special methods.
class Seven:
    def __int__(self): return 7
    def __float__(self): return 7.5
    def __complex__(self): return 7 + 1j
    def __index__(self): return 2
    def __bool__(self): return False
    def __str__(self): return "seven"
    def __repr__(self): return "Seven()"
    def __bytes__(self): return b"7"
    def __round__(self, digits=None): return f"rounded {digits}"
    def __abs__(self): return "absolute"
    def __divmod__(self, other): return ("divmod", other)
    def __trunc__(self): return "truncated"


import math

s = Seven()
print(int(s), float(s), complex(s), bool(s), str(s), repr(s), bytes(s), "abcd"[s], [s], f"{s} {s!r}")
print(round(s), round(s, 2), abs(s), divmod(s, 3), math.trunc(s), hex(s), list(range(s)))
