# The value is found in the body of a try that did not raise.
# value: 42
try:
    int("42")
except ValueError:
    "not a number"
