# Comprehensions hold conditional expressions, lambdas, stars and calls.
words = ["apple", "Bob", "cat"]
print([w.upper() if w[0].islower() else w.lower() for w in words])
print(max((len(w), w) for w in words), dict((w, len(w)) for w in words))
print([*(w[0] for w in words)], list(zip(*[(1, 2), (3, 4)])))
print([f(3) for f in (lambda x: x + 1, lambda x: x * x)], all(w for w in words), any(not w for w in words))
