# The else of a loop gives the value, though the turns before it had values too.
# value: 'all seen'
for n in range(3):
    n * 10
else:
    "all seen"
