# Wrong calls raise TypeError with CPython's words.
def f(a, b, *, c=0):
    pass


class K:
    def m(self, x):
        pass


number = 5
calls = [
    lambda: f(1), lambda: f(), lambda: f(1, 2, 3), lambda: f(1, 2, d=3), lambda: f(1, a=1, b=2),
    lambda: K().m(), lambda: K.m(), lambda: K(1), lambda: number(), lambda: f(*5), lambda: f(**5), lambda: len(1, 2),
]
for call in calls:
    try:
        call()
    except TypeError as error:
        print(error)
