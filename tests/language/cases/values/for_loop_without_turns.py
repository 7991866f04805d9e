# A for loop that never turns gives None.
# value: None
x = 1
for n in []:
    n
