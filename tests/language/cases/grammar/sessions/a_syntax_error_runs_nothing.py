# A cell with a syntax error does nothing at all.
x = 1
# ---
x = 2
print("not printed"
y = (
# ---
print(x)
x
