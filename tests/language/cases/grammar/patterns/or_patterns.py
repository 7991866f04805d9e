# Alternatives are tried from left to right and bind the same names.
def f(x):
    match x:
        case 1 | 2 | 3: return "small"
        case ["left", n] | [n, "right"]: return f"turn {n}"
        case {"a": v} | {"b": v}: return f"value {v}"
        case (int() | str()) as scalar: return f"scalar {scalar!r}"
        case [(1 | 2) as head, *_]: return f"head {head}"


print([f(x) for x in (2, ["left", 90], [45, "right"], {"b": 5}, "s", 77, [2, 9], [3, 9])])
