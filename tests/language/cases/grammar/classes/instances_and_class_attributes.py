# Instance attributes hide class attributes, and mutable class attributes are shared.
class Dog:
    tricks = []
    count = 0

    def __init__(self, name):
        self.name = name
        Dog.count += 1

    def learn(self, trick):
        self.tricks.append(trick)
        return self


a, b = Dog("a"), Dog("b")
a.learn("roll").learn("sit")
b.count = "own"
print(b.tricks, Dog.count, a.count, b.count)
print(Dog.learn(a, "beg") is a, a.tricks is b.tricks)
