# Conversions run before formatting, and a failing expression raises as usual.
class Both:
    def __repr__(self):
        return "repr é"

    def __str__(self):
        return "str é"


b = Both()
print(f"{b} {b!s} {b!r} {b!a} {b!r:>10}|")
for attempt in (lambda: f"{undefined_name}", lambda: f"{1/0}", lambda: f"{3:q}", lambda: f"{'x':d}"):
    try:
        attempt()
    except Exception as error:
        print(type(error).__name__, error)
