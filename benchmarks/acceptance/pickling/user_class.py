import pickle


class Animal:
    def __init__(self, name, sound):
        self.name, self.sound = name, sound

    def __eq__(self, other):
        return vars(self) == vars(other)

    def speak(self):
        return f"{self.name} says {self.sound}"


class Dog(Animal):
    def __init__(self, name):
        super().__init__(name, "woof")
        self.tricks = []


dog = Dog("Rex")
dog.tricks.append("roll")
with open("dog.pkl", "wb") as file:
    pickle.dump(dog, file)
with open("dog.pkl", "rb") as file:
    copy = pickle.load(file)
print(copy.speak(), copy.tricks, copy == dog, copy is dog, type(copy) is Dog)
print(pickle.loads(pickle.dumps([Animal, Dog])) == [Animal, Dog], Dog.__module__, Dog.__qualname__)
