# The Formatter and Template classes and the constants of string.
import string
from string import Formatter, Template

print(string.ascii_lowercase[:5], string.digits, string.hexdigits[-6:], len(string.punctuation))
print(string.capwords("the quick  fox"))
greeting = Template("Dear $name, you owe $$${amount}")
print(greeting.substitute(name="Ann", amount=5), greeting.safe_substitute(name="Bo"))
try:
    greeting.substitute(name="Ann")
except KeyError as error:
    print("missing", error)
print(Formatter().format("{0} {1!r:>6} {key}", "a", "b", key=3))
print([(literal, field, spec) for literal, field, spec, _ in Formatter().parse("x={x:>4} y={y}")])


class Defaulting(Formatter):
    def get_value(self, key, args, kwargs):
        if isinstance(key, str):
            return kwargs.get(key, f"<{key}>")
        return super().get_value(key, args, kwargs)


print(Defaulting().format("{a} {b} {0}", 1, a=2))


class Percent(Template):
    delimiter = "%"


Percent("%who at %place").substitute({"who": "I", "place": "home"})
