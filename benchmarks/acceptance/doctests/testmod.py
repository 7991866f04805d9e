"""Statistics of words.

>>> longest(["a", "abc", "ab"])
'abc'
"""
import doctest


def longest(words):
    """The longest word; of several, the first.

    >>> longest(["one", "three", "seven"])
    'three'
    >>> longest([])
    Traceback (most recent call last):
        ...
    ValueError: no words
    """
    if not words:
        raise ValueError("no words")
    return max(words, key=len)


def initials(name):
    """
    >>> initials("grace brewster hopper")
    'G.B.H.'
    """
    return "".join(f"{part[0].upper()}." for part in name.split())


if __name__ == "__main__":
    print(doctest.testmod())
