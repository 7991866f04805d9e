# An unpacking that fails as the last statement raises and leaves the names unbound.
a, b = [1, 2, 3]
# ---
a
# ---
"still here"
