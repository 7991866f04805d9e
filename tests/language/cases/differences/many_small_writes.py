# Many writes without a line end join up.
for number in range(3000):
    print(number % 10, end="" if number % 60 != 59 else "\n")
print("done")
