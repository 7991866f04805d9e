# The value of a comprehension is the container, and the value of a call is its result.
squares = [n * n for n in range(4)]
(lambda items: {n: n % 2 for n in items})(squares)
