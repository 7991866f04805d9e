# An error inside a handler replaces the first one.
try:
    {}["a"]
except KeyError:
    print("handling")
    [].pop()
