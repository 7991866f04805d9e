# An if whose branch was not taken gives None, though an assignment came before.
# value: None
n = -3
if n > 0:
    n
