# A class may be a context manager, an iterator and a callable decorator at once.
class Everything:
    def __init__(self):
        self.log = []

    def __enter__(self): self.log.append("enter"); return self
    def __exit__(self, *details): self.log.append("exit"); return True
    def __iter__(self): return iter(self.log)
    def __call__(self, f): return lambda *args: (self.log.append(f.__name__), f(*args))[1]


e = Everything()


@e
def double(n):
    return n * 2


with e as same:
    print(double(4), same is e)
    raise RuntimeError("swallowed")
print(*e)
