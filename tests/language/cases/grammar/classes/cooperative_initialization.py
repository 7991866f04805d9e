# Keyword arguments travel through a diamond of initializers, each called once.
class Root:
    def __init__(self, **rest):
        print("Root", rest)


class Left(Root):
    def __init__(self, left, **rest):
        print("Left", left)
        super().__init__(**rest)


class Right(Root):
    def __init__(self, right, **rest):
        print("Right", right)
        super().__init__(**rest)


class Both(Left, Right):
    pass


Both(right=1, left=2)
Both(left=3, right=4, extra=5)
