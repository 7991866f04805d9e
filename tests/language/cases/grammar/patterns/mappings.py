# Mapping patterns look for keys, ignore others, and may collect the rest.
def handle(event):
    match event:
        case {}  if not event: return "empty"
        case {"type": "click", "pos": [x, y]}: return f"click {x} {y}"
        case {"type": "key", "key": str() as key, **rest}: return f"key {key} {rest}"
        case {1: "one", None: value}: return f"odd keys {value}"
        case {"type": other, **_rest}: return f"unknown {other} {_rest}"
        case _: return "no mapping"


print(handle({}))
print(handle({"type": "click", "pos": (1, 2), "extra": 0}))
print(handle({"type": "key", "key": "Q", "shift": True, "n": 1}))
print(handle({1: "one", None: "nothing"}))
print(handle({"type": "scroll"}), handle([("type", "click")]))
