# Bases may be any expression, with stars, and are evaluated once.
def bases():
    print("bases asked")
    return (list,)


class Stack(*bases(), **{}):
    def push(self, item):
        self.append(item)
        return self


class Made((lambda: Stack)()):
    pass


class Dynamic(type("Parent", (), {"greet": lambda self: "hello"})):
    pass


print(Made().push(1).push(2), Dynamic().greet(), isinstance(Made(), list))
