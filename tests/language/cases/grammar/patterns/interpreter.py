# Nested patterns make a small interpreter.
def run(program, env):
    for step in program:
        match step:
            case ("let", str(name), value):
                env[name] = compute(value, env)
            case ("print", *values):
                print(*(compute(v, env) for v in values))
            case ("if", cond, [*then]) | ("if", cond, [*then], _) if compute(cond, env):
                run(then, env)
            case ("if", _, _, [*otherwise]):
                run(otherwise, env)


def compute(e, env):
    match e:
        case int(): return e
        case str(): return env[e]
        case (("+" | "-" | "<") as op, a, b):
            a, b = compute(a, env), compute(b, env)
            return {"+": a + b, "-": a - b, "<": a < b}[op]


run([("let", "x", 5), ("let", "y", ("+", "x", 2)), ("print", "x", "y"),
     ("if", ("<", "y", "x"), [("print", 1)], [("print", ("-", "y", "x"))])], {})
