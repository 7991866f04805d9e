# aim: have the host hold an object with methods of its own that passes for a plain one
# mechanism: instances of subclasses of every plain type, in one value
# language: nothing (any program may define classes)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# host: state
# hosts: root
import collections, datetime, decimal, fractions

def hostile(base):
    def strike(self, *arguments):
        raise SystemExit("struck")
    return type("Hostile", (base,), {"__repr__": strike, "__str__": strike, "__eq__": strike, "__hash__": base.__hash__})

made = [
    hostile(int)(7), hostile(float)(1.5), hostile(str)("x"), hostile(bytes)(b"x"), hostile(list)([1]), hostile(tuple)((1,)),
    hostile(dict)(a=1), hostile(set)([1]), hostile(frozenset)([1]), hostile(collections.OrderedDict)(a=1), hostile(collections.deque)([1]),
    hostile(datetime.date)(2026, 1, 1), hostile(datetime.timedelta)(1), hostile(decimal.Decimal)("1"), hostile(fractions.Fraction)(1, 2),
]
made
# ---
"held: the host is still there"
