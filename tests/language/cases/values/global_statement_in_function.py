# A function that assigns globals shows in the next value.
total = 0


def add(n):
    global total
    total += n


add(5)
# ---
total = total + 1
