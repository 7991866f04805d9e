# The print function uses __str__, falls back to __repr__ and lets errors through.
class Both:
    def __str__(self):
        return "text"

    def __repr__(self):
        return "<both>"


class OnlyRepr:
    def __repr__(self):
        return "<only>"


class Broken:
    def __str__(self):
        raise RuntimeError("no text")


print(Both(), [Both()], OnlyRepr(), f"{Both()} {Both()!r}", repr(Both()), ascii("é"))
try:
    print("before", Broken())
except RuntimeError as error:
    print("error:", error)
Both()
