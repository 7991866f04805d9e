# Since 3.14 several exception types need no parentheses when nothing is bound.
# python: 3.14+
for attempt in (lambda: {}["k"], lambda: int("x"), lambda: 1):
    try:
        print(attempt())
    except KeyError, ValueError:
        print("one of two")
