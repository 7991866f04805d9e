# Unary operators call their methods and bind looser than power.
class Signed:
    def __neg__(self):
        return "negated"

    def __pos__(self):
        return "plus"

    def __invert__(self):
        return "inverted"


s = Signed()
print(-s, +s, ~s, not s)
print(-2**2, (-2) ** 2, --3, -+-3, ~~7, not not [], +True)
