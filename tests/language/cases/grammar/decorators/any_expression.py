# A decorator may be any expression, and its result may be anything.
buttons = [lambda f: f"{f.__name__} became text", lambda f: f]


@buttons[0]
def first():
    pass


@(lambda f: 42)
def second():
    pass


@(chosen := buttons[1])
def third():
    return "third"


@str
def fourth(): pass


print(first, second, third(), chosen is buttons[1], type(fourth).__name__)
