# A cell that raises in its last statement has no value, and keeps what was assigned before.
for n in (2, 1, 0):
    quotient = 4 // n
# ---
quotient
