# Format specifications reach __format__ unchanged.
class Spy:
    def __format__(self, spec):
        return f"<{spec}>"


s = Spy()
print(f"{s} {s:abc} {s:{'x' * 3}} {s:a{1}b{2}c} {s:%Y-%m}")
print(f"{1234567.891:,.2f} {255:#x} {255:08b} {0.25:.0%} {12:+d} {3:e} {True:d} {'t':*^7}")
print(f"{10**10:_} {-5: d} {1e10:g} {97:c} {2 + 3j:.1f}")
