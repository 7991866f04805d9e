# Compound statements on one line behave as written out.
for i in range(2): print(i, end=" "); print("-", end=" ")
x = 5; y = x; del x
if y: y -= 1; print(y)
class A: a = 1; b = a + 1
def f(): "doc"; return 3
try: raise KeyError("k")
except KeyError as e: print(repr(e))
finally: print("done")
print(A.b, f(), f.__doc__)
while y: y -= 1
print(y)
