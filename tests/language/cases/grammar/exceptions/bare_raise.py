# A bare raise sends the current exception on, from functions too, and needs one.
def reraise():
    raise


try:
    try:
        1 / 0
    except ZeroDivisionError:
        print("logged")
        raise
except ZeroDivisionError as error:
    print("again", error)
try:
    try:
        {}["k"]
    except KeyError:
        reraise()
except KeyError as error:
    print("from a function", error)
try:
    reraise()
except RuntimeError as error:
    print(error)
