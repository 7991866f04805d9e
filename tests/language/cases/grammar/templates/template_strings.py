# Since 3.14 a t-string keeps its text and its values apart.
# python: 3.14+
name, amount = "Ann", 12.5
template = t"Hello {name}, you owe {amount:.2f} {name!r}{1 + 1}"
print(template.strings)
print(template.values)
for part in template.interpolations:
    print(part.value, part.expression, part.conversion, part.format_spec)
print(type(template).__name__, (t"a" + t"{name}").strings)
