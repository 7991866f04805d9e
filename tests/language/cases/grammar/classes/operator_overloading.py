# Every binary operator has a method, a reflected one and often an in-place one.
class Op:
    def __init__(self, text): self.text = text
    def __repr__(self): return self.text
    def __add__(self, o): return Op(f"({self}+{o})")
    def __radd__(self, o): return Op(f"({o} r+ {self})")
    def __sub__(self, o): return Op(f"({self}-{o})")
    def __mul__(self, o): return Op(f"({self}*{o})")
    def __truediv__(self, o): return Op(f"({self}/{o})")
    def __floordiv__(self, o): return Op(f"({self}//{o})")
    def __mod__(self, o): return Op(f"({self}%{o})")
    def __pow__(self, o, modulus=None): return Op(f"({self}**{o}%{modulus})")
    def __matmul__(self, o): return Op(f"({self}@{o})")
    def __lshift__(self, o): return Op(f"({self}<<{o})")
    def __rshift__(self, o): return Op(f"({self}>>{o})")
    def __and__(self, o): return Op(f"({self}&{o})")
    def __or__(self, o): return Op(f"({self}|{o})")
    def __xor__(self, o): return Op(f"({self}^{o})")
    def __rpow__(self, o): return Op(f"({o} r** {self})")


a, b = Op("a"), Op("b")
print(a + b, 1 + a, a - b, a * b, a / b, a // b, a % b, a**b, 2**a, pow(a, 2, 3))
print(a @ b, a << b, a >> b, a & b, a | b, a ^ b, a + b * a - b)
