# The value of a loop that adds up is the sum.
# value: 10
total = 0
for n in range(5):
    total += n
