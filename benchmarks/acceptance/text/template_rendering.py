import string
import textwrap

LETTER = string.Template("Dear $title ${name},\n\nyou owe us $$$amount.")
print(LETTER.substitute(title="Dr", name="No", amount="1,000,000"))
try:
    LETTER.substitute(title="Dr")
except KeyError as error:
    print("missing", error)
print(LETTER.safe_substitute(title="Ms").splitlines()[0])


class Shout(string.Formatter):
    def convert_field(self, value, conversion):
        return str(value).upper() if conversion == "u" else super().convert_field(value, conversion)


print(Shout().format("{0!u} and {name!r:>10}", "loud", name="x"))
long = "The quick brown fox jumps over the lazy dog. " * 3
print(textwrap.fill(long, 40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(long, 30), repr(textwrap.dedent("    a\n      b\n")), textwrap.indent("a\nb", "> "))
print(string.capwords("hello wide world"), "x".center(9, "*"), string.ascii_lowercase[:5])
