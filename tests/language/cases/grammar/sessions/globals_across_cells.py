# A function's global statement reaches variables of other cells.
def bump():
    global counter
    counter += 1
    return counter
# ---
bump()
# ---
counter = 10
bump()
# ---
print(counter)
