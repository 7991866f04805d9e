# A function definition as the last statement gives None, though an expression came before.
5


def f():
    return 5
