# The else of a for loop runs unless the loop was left by break.
def search(items, wanted):
    for item in items:
        if item == wanted:
            print("found", item)
            break
    else:
        print("nothing like", wanted)


search([1, 2, 3], 2)
search([1, 2, 3], 9)
search([], 1)
for x in range(2):
    continue
else:
    print("continue does not skip else", x)
