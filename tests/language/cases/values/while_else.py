# The value is found in the else of a while loop.
# value: 'counted down from 3'
start = n = 3
while n:
    n -= 1
else:
    f"counted down from {start}"
