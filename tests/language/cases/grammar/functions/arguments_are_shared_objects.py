# Arguments are passed by reference: changes show, rebinding does not.
def change(items, number, text="x", *more, **options):
    items.append("added")
    items = ["rebound"]
    number += 1
    options["new"] = more
    return number, options


data, n, opts = [1], 5, {"k": 1}
print(change(data, n, "t", *data, **opts))
print(data, n, opts)


def swap(a, b):
    return b, a


data, n = swap(data, n)
print(data, n)
