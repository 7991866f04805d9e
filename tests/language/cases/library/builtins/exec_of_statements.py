# The exec function runs statements here or in a dictionary of its own.
source = """
def double(n):
    return n * 2

total = sum(double(n) for n in range(4))
"""
exec(source)
print(total, double(21))
space = {"start": 5}
exec("result = [start + i for i in range(3)]", space)
print(space["result"], "result" in globals())
outer, inner = {"g": 1}, {}
exec("local = g + 1", outer, inner)
print(inner, "local" in outer)


def confined():
    exec("hidden = 1", {}, box := {})
    return box


print(confined(), exec("pass"))
try:
    exec("raise ValueError('from exec')")
except ValueError as error:
    print(error)
try:
    exec("if True print(1)")
except SyntaxError as error:
    print(type(error).__name__)
for i in range(2):
    exec(f"variable_{i} = {i} * 100")
variable_1
