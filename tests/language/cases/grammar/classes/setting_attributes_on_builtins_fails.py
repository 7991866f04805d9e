# Built-in types and their instances cannot be given new attributes.
class Free(int):
    pass


five = Free(5)
five.note = "allowed"
print(five + 1, five.note)
for target in (5, "text", [], (), None, object(), int, list):
    try:
        target.note = 1
    except (AttributeError, TypeError) as error:
        print(type(error).__name__)
