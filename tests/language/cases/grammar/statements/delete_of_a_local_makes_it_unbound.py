# A deleted local is unbound, even if a global of that name exists.
value = "global"


def forget():
    value = "local"
    print(value)
    del value
    try:
        print(value)
    except UnboundLocalError as error:
        print(type(error).__name__, error)


forget()
print(value)
