# Plain objects, None, Ellipsis, NotImplemented and debug are ordinary values.
sentinel = object()
print(sentinel is sentinel, sentinel == object(), None is None, type(None)(), ..., Ellipsis is ..., NotImplemented)
print(isinstance(sentinel, object), bool(None), [None] * 2, __debug__, __name__)


def search(items, default=sentinel):
    for item in items:
        return item
    if default is sentinel:
        raise LookupError("nothing found")
    return default


print(search([5]), search([], None))
try:
    search([])
except LookupError as error:
    print(repr(error))
if __name__ == "__main__":
    print("main")
...
