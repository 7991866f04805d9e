# Break and continue belong to the innermost loop.
found = []
for i in range(4):
    for j in range(4):
        if j == i:
            continue
        if j > 2:
            break
        found.append((i, j))
    else:
        found.append(("whole row", i))
print(found)
while True:
    while True:
        break
    print("outer goes on")
    break
