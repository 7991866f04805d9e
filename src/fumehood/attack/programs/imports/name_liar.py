# aim: import by a name that shows one text and is another
# mechanism: a str subclass with lying methods
# language: builtins
# reason: the name that was checked must be the name that is imported
# jail: process
# plain: loot

class Liar(str):
    def __str__(self):
        return "math"

    def __eq__(self, other):
        return other == "math"

    def __hash__(self):
        return hash("math")

    def split(self, *args):
        return ["math"]

    def partition(self, *args):
        return ("math", "", "")

    def startswith(self, *args):
        return False


made = __import__(Liar("subprocess"))
loot(made)
import sys

loot(getattr(sys, "modules", {}).get("sub" + "process"))
