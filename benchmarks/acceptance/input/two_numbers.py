# stdin: 17
# stdin: 25
"""Ask for two numbers and print their greatest common divisor and sum."""
import math

first = int(input("First number: "))
second = int(input("Second number: "))
print()
print("sum", first + second, "gcd", math.gcd(first, second))
