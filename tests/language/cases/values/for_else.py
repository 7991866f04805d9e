# The value is found in the else of a loop that was not broken.
# value: 'prime'
n = 13
for d in range(2, n):
    if n % d == 0:
        print("composite")
        break
else:
    result = "prime"
