# The value of an assignment to a slice is what was assigned.
letters = list("abcd")
letters[1:3] = ["X"]
