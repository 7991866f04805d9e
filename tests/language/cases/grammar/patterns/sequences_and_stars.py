# Sequence patterns take lists and tuples, with at most one star anywhere.
def shape(x):
    match x:
        case []: return "empty"
        case [only]: return f"one {only}"
        case (1, *rest): return f"starts with 1, then {rest}"
        case [first, *_, last] if first == last: return f"same ends {first}"
        case [*start, "end"]: return f"ends after {start}"
        case a, b: return f"pair {a} {b}"
        case [_, _, *others]: return f"long, {len(others)} others"
        case _: return "no sequence"


for x in ([], (7,), [1, 2, 3], (5, 6, 5), ["a", "b", "end"], [2, 3], range(4), "ab", {1: 2}, {1, 2}, iter([1]), b"ab"):
    print(shape(x))
