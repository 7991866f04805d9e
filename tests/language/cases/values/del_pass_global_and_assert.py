# The statements del, pass, global and assert give None.
x = 1
y = 2
del x
# ---
y
pass
# ---
y
global z
# ---
y
assert True
