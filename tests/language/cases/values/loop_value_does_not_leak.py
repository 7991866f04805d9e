# The value of a loop that raised is not the value of a loop without turns in the next cell.
# value: None
for n in (2, 1, 0):
    4 // n
# ---
for n in []:
    n
