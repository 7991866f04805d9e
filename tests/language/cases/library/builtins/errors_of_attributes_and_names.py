# AttributeError and NameError carry the name that was missing.
class Empty:
    pass


try:
    Empty().thing
except AttributeError as error:
    print(error, error.name)
try:
    misspelt
except NameError as error:
    print(error, error.name)
try:
    Empty.thing = 1
    Empty().thing()
except TypeError as error:
    print(error)
try:
    (5).real = 3
except AttributeError as error:
    print(error)
try:
    None.append(1)
except AttributeError as error:
    print(error)
try:
    "abc"[0] = "x"
except TypeError as error:
    print(error)
Empty().other
