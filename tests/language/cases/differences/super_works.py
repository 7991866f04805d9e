# Calls of super work with and without arguments, in methods, class methods, properties and __new__.
class Animal:
    count = 0

    def __new__(cls, *args, **kwargs):
        made = super().__new__(cls)
        cls.count += 1
        return made

    def __init__(self, name):
        self.name = name

    @property
    def label(self):
        return f"animal {self.name}"

    @classmethod
    def create(cls, name):
        return cls(name)

    def speak(self):
        return "..."


class Dog(Animal):
    def __init__(self, name, tricks=()):
        super().__init__(name)
        self.tricks = list(tricks)

    @property
    def label(self):
        return super().label + " (dog)"

    @classmethod
    def create(cls, name):
        dog = super().create(name)
        dog.tricks.append("sit")
        return dog

    def speak(self):
        return super().speak() + "woof"


class Puppy(Dog):
    def speak(self):
        quiet = [super(Puppy, self).speak() for _ in range(2)]
        return "/".join(quiet) + super(Dog, self).speak()


p = Puppy.create("Rex")
p.speak(), p.label, p.tricks, Puppy.count, Animal.count
