# The print function obeys sep, end, file and flush.
import io

print("a", "b", "c", sep="-")
print("no newline", end="")
print(" continues", flush=True)
print(1, None, 2.5, [1], sep=", ", end=".\n")
print()
print(*range(4), sep="")
print(*"abc", sep="\n")
print("x", sep=None, end=None)
out = io.StringIO()
print("to", "buffer", sep="|", end="#", file=out)
print(repr(out.getvalue()))


class Sink:
    def __init__(self):
        self.parts = []

    def write(self, text):
        self.parts.append(text)


sink = Sink()
print("collected", 5, file=sink)
print(sink.parts)
try:
    print("a", sep=3)
except TypeError as error:
    print(error)
print("value of print")
