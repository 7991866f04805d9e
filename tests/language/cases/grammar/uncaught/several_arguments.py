# An exception with several arguments shows them as a tuple.
raise ValueError("first", 2, None)
