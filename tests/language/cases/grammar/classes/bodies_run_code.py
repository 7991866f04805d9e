# A class body is ordinary code: loops, conditions, imports, functions, comprehensions and try.
class Config:
    import math as _math

    limits = {}
    for name in ("low", "high"):
        limits[name] = len(name)
    if limits["low"] == 3:
        mode = "three"
    try:
        scale = 1 / 0
    except ZeroDivisionError:
        scale = _math.inf
    with_default = [n for n in range(2)]
    del name
    print("body ran, mode is", mode)


print(Config.limits, Config.scale, Config.with_default, hasattr(Config, "name"))
