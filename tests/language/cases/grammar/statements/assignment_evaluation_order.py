# The right side is evaluated before the subscript of the target.
def show(label, value):
    print("evaluating", label)
    return value


table = {}
show("target", table)[show("key", "k")] = show("value", 1)
table[show("outer", "a")], table[show("inner", "b")] = show("x", 10), show("y", 20)
print(table)
