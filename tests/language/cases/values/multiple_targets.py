# The value of an assignment to several targets is what was assigned to each.
a = b = c = [1, 2]
