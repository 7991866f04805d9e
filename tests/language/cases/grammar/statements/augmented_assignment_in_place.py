# An augmented assignment calls the in-place method if there is one and rebinds otherwise.
class Log:
    def __init__(self):
        self.entries = []

    def __iadd__(self, entry):
        self.entries.append(entry)
        return self

    def __add__(self, entry):
        raise AssertionError("never used")


log = alias = Log()
log += "a"
log += "b"
print(alias.entries, log is alias)
numbers = other = (1, 2)
numbers += (3,)
print(numbers, other)
