# Conditions use __bool__, then __len__, and count every other object as true.
class Switch:
    def __init__(self, on):
        self.on = on

    def __bool__(self):
        return self.on


class Sized:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n


for thing in (Switch(True), Switch(False), Sized(0), Sized(2), object(), [], [0], "", " ", 0.0, None):
    print("yes" if thing else "no", end=" ")
print(not Sized(0))
