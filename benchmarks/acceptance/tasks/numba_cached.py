# needs: numba
import numba, numpy as np
@numba.njit
def f(a):
    s = 0.
    for x in a: s += x
    return s
@numba.vectorize(["float64(float64)"])
def g(x): return x * 2
print(f(np.ones(10)), g(np.arange(3.)))
@numba.njit(cache=True)
def h(x): return x + 1
print(h(1))
