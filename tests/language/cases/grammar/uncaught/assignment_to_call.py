# A call is no target.
f() = 3
