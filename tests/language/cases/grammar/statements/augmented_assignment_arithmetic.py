# Every arithmetic operator has an augmented form.
n = 17
n += 5
print(n)
n -= 2
print(n)
n *= 3
print(n)
n //= 7
print(n)
n **= 2
print(n)
n %= 50
print(n)
n /= 4
print(n)
