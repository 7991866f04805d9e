# A misspelt name is an error and never resolved to a similar one.
total = 5
for attempt in (lambda: Total, lambda: totl, lambda: "abc".uper(), lambda: max_(1, 2)):
    try:
        attempt()
    except (NameError, AttributeError) as error:
        print(type(error).__name__, error)
print(total)
