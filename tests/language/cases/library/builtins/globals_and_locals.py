# The functions globals and locals show and change variables.
value = 1
globals()["made"] = value + 1
print(made, "value" in globals(), "nothing" in globals())


def show(a, *rest, key=None):
    b = 2
    return locals()


print(show(1, 5, 6, key="k"))


def counter():
    globals()["value"] += 10
    return globals()["value"]


print(counter(), value, locals() is globals())
"{value} and {made}".format(**globals())
# ---
del globals()["made"]
"made" in globals()
# ---
made
