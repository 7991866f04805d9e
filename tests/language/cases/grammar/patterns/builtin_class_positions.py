# Eleven built-in types match themselves with one positional sub-pattern.
def f(x):
    match x:
        case bool(b): return f"bool {b}"
        case int(n) if n > 100: return f"big {n}"
        case int(n): return f"int {n}"
        case str("yes" | "no" as answer): return f"answer {answer}"
        case str(s): return f"str {s}"
        case list([first, *_]): return f"list from {first}"
        case tuple(t): return f"tuple {t}"
        case dict({"k": v}): return f"dict {v}"
        case float(): return "float"
        case bytes(b): return f"bytes {b}"


print([f(x) for x in (True, 500, 5, "yes", "maybe", [9, 8], (1,), {"k": 2}, 1.5, b"z", None, [])])
