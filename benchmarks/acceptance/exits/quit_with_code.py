total = sum(range(10))
print(total)
quit(total % 7)
