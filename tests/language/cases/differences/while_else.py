# The else of a while loop runs when its condition became false.
n = 3
while n:
    n -= 1
else:
    print("finished", n)
while True:
    n += 1
    if n == 2:
        continue
    if n > 4:
        break
else:
    print("never printed")


def search(items, wanted):
    position = 0
    while position < len(items):
        if items[position] == wanted:
            return position
        position += 1
    else:
        return -1


search("abc", "c"), search("abc", "z"), n
