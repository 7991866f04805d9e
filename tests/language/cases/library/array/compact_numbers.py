# Arrays hold numbers of one type and refuse others.
import array
from array import array as make

numbers = make("i", [3, 1, 2])
numbers.append(7)
numbers.extend([8, 9])
print(numbers, numbers[1:3], sum(numbers), numbers.typecode, numbers.index(7))
numbers[0] = -5
numbers.reverse()
print(numbers.tolist(), array.array("d", [1.5]) * 2, 9 in numbers, numbers.pop())
print(make("B", b"ab").tobytes(), "d" in array.typecodes, make("h", [1, 2]).itemsize)
for bad in (lambda: numbers.append("x"), lambda: make("b", [200])):
    try:
        bad()
    except (TypeError, OverflowError) as error:
        print(type(error).__name__, error)
array.array("H", range(3)) == array.array("H", [0, 1, 2])
