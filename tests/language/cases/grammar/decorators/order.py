# Decorators are evaluated from the top and applied from the bottom.
def mark(label):
    print("evaluate", label)

    def apply(f):
        print("apply", label, f.__name__)
        return f

    return apply


@mark("outer")
@mark("inner")
def target():
    return "called"


print(target())
