# Five thousand prints come out whole and in order.
for number in range(5000):
    print(number)
number
