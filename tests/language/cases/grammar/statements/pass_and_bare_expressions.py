# Statements without effect are accepted and discarded.
pass
...
"a string that nobody reads"
1 + 1
None


def nothing(): pass


class Empty: ...


if True: pass
while False: pass
print(nothing(), Empty.__name__); print("two statements on one line")
