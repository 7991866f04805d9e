# Each cell has its own value, and a raising cell has none.
1 + 1
# ---
x = [1, 2]
# ---
x.undefined_method()
# ---
x
# ---
for item in x:
    pass
# ---
"last", x
