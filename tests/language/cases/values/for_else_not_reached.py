# A loop that is broken keeps the value of the last turn that had one.
# value: 10
for n in range(5):
    if n == 2:
        break
    n * 10
else:
    "never reached"
