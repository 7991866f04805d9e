# Any object may be the value of a cell, also Ellipsis, NotImplemented and types.
...
# ---
NotImplemented
# ---
int
# ---
class Plain:
    pass


Plain
# ---
ValueError("not raised")
