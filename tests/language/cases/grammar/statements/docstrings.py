# The first string of a function or class is its docstring; other expressions are not.
def documented():
    """Says what it does."""
    return 1


def undocumented():
    f"""not {1} docstring"""


class Thing:
    "One line."

    def method(self):
        """Method text."""


print(documented.__doc__, undocumented.__doc__, Thing.__doc__, Thing.method.__doc__, sep="|")
documented.__doc__ = "Changed."
print(documented.__doc__)
