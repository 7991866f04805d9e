# The method format_map, the function format and methods held in variables.
class Missing(dict):
    def __missing__(self, key):
        return "{" + key + "}"


print("{a} {b}".format_map(Missing(a=1)), "{x[0]}".format_map({"x": "yz"}))
print(format(3.14159, ".3f"), format("a", ">4"), format(1000, ","), format(5), format(True, "d"))
render = "{0}-{1}".format
print(render(1, 2), list(map("<{}>".format, "ab")), str.format("{}!", "hi"), str.format_map("{k}", {"k": 1}))
template = "\n".join(["{name:<8}{price:>8.2f}"] * 2)
print(template.format(name="tea", price=2.5))
"{:{}}".format("x", ">5")
