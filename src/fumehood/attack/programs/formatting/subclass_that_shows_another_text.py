# aim: show one text to whoever looks at the template and use another
# mechanism: a str subclass with lying methods; the C code reads the buffer
# language: guard
# reason: the text that was checked must be the text that is used
# jail: process
# plain: loot

import textwrap


class Liar(str):
    def __str__(self):
        return "harmless"

    __repr__ = __str__

    def __format__(self, specification):
        return "harmless"

    def __iter__(self):
        return iter("harmless")

    def __contains__(self, part):
        return False

    def __getitem__(self, index):
        return "harmless"[index]

    def find(self, *args):
        return -1

    def split(self, *args):
        return ["harmless"]


loot(Liar("{0.__code__}").format(textwrap.dedent))
