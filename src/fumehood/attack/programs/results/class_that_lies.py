# aim: pass for a text, so that the host calls methods of the sandbox's
# mechanism: __class__ as a property
# language: nothing (a class may say so, and a program may have such names)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# hosts: root
class Liar:
    __class__ = property(lambda self: str)
    def __len__(self):
        return 1 << 60
    def __iter__(self):
        while True:
            yield self

lie = Liar()
[lie]
# ---
"held: the host is still there"
