# Compiled code is run with exec and eval.
expression = compile("a * b", "<expression>", "eval")
print([eval(expression, {"a": a, "b": 10}) for a in range(3)])
program = compile("for i in range(3):\n    seen.append(i * i)", "<program>", "exec")
seen = []
exec(program)
exec(program)
print(seen)
try:
    compile("x ===", "<broken>", "exec")
except SyntaxError as error:
    print(error.msg, error.lineno)
try:
    compile("x = 1", "<statement>", "eval")
except SyntaxError as error:
    print(type(error).__name__)
eval(compile("len(seen)", "<s>", "eval"))
