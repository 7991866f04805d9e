import doctest


class Stack:
    """A stack.

    >>> stack = Stack()
    >>> stack.push(1); stack.push(2)
    >>> stack.pop()
    2
    >>> print(list(range(30)))  # doctest: +ELLIPSIS
    [0, 1, ..., 29]
    >>> {"a": 1,
    ...  "b": 2} == {"b": 2, "a": 1}
    True
    """

    def __init__(self):
        self.items = []

    def push(self, item):
        """
        >>> Stack().push("x") is None
        True
        """
        self.items.append(item)

    def pop(self):
        return self.items.pop()


doctest.testmod(verbose=True, optionflags=doctest.NORMALIZE_WHITESPACE)
