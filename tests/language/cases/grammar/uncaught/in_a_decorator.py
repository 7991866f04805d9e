# A decorator that fails leaves its function undefined.
def refuse(f):
    raise TypeError(f"{f.__name__} is refused")


@refuse
def target():
    pass
