# Super finds the next class in line, in every spelling.
class A:
    def who(self):
        return ["A"]


class B(A):
    def who(self):
        return ["B", *super().who()]


class C(A):
    def who(self):
        return ["C", *super(C, self).who()]


class D(B, C):
    def who(self):
        return ["D"] + super().who()

    def skip(self):
        return super(B, self).who()


print(D().who(), D().skip(), super(D, D()).who(), super(D, D).who(D()))
