# A walrus in the condition of a loop reads until the source is empty.
chunks = iter(["ab", "cd", "", "ef"])
while chunk := next(chunks):
    print("chunk", chunk)
print(repr(chunk), list(chunks))
steps, n = 0, 27
while n != 1 and (steps := steps + 1):
    n = n // 2 if n % 2 == 0 else 3 * n + 1
print(steps)
