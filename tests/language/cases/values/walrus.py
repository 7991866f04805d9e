# The value of a walrus expression is what it binds.
(n := 7)
# ---
n + 1
