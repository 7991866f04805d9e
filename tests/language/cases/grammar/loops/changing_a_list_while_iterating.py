# A for loop over a list sees items appended during the loop.
numbers = [1, 2, 3]
for n in numbers:
    if n < 3:
        numbers.append(n + 10)
print(numbers)
table = {"a": 1}
try:
    for key in table:
        table[key + "!"] = 0
except RuntimeError as error:
    print(error, len(table))
