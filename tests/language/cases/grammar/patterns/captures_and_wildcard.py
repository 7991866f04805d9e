# A capture binds in the enclosing scope and stays bound; a wildcard binds nothing.
def f(command):
    match command:
        case [action]:
            pass
        case [action, target]:
            return action, target
        case _:
            return "wildcard"
    return action


print(f(["go"]), f(["go", "north"]), f(5))
match 3:
    case n if n > 5:
        print("never")
    case whole:
        print("captured", whole)
print(n, whole)
try:
    _
except NameError as error:
    print(error)
