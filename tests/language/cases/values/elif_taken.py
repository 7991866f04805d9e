# The value is found in the elif that was taken.
# value: 'zero'
n = 0
if n > 0:
    "positive"
elif n == 0:
    "zero"
else:
    "negative"
