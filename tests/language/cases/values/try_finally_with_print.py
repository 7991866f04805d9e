# The clean-up in a finally does not replace the value of the body.
# value: 12
try:
    answer = 3 * 4
except ArithmeticError:
    answer = 0
finally:
    print("cleaned up")
