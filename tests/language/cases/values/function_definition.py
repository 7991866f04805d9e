# A function definition gives None.
def f():
    return 5
# ---
f()
