# Await inside an ordinary function.
def f():
    await g()
