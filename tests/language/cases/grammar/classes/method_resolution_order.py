# Python orders bases by C3 and refuses an impossible order.
class X: pass
class Y: pass
class A(X, Y): pass
class B(Y, X): pass
class Tree(A): label = "tree"


print([c.__name__ for c in Tree.mro()])
try:
    class Impossible(A, B):
        pass
except TypeError as error:
    print(error)
try:
    class Twice(X, X):
        pass
except TypeError as error:
    print(error)
