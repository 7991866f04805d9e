# Several statements on one line count like any others.
# value: 13
x = 1; y = 2; x + y
# ---
x; y = 10;
# ---
if x: y += 2; x + y
