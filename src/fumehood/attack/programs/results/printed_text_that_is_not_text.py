# aim: print an object whose text is a str subclass with methods of its own
# mechanism: __str__ may return a subclass of str
# language: run
# reason: the log holds exact text
# jail: wire
# plain: none (whether the host runs the methods is what is tested)

class Text(str):
    def __len__(self):
        raise SystemExit("while the log was measured")

    __add__ = __radd__ = __getitem__ = encode = splitlines = __iter__ = __len__


class Value:
    def __str__(self):
        return Text("text")


print(Value(), Text("more"), sep=Text(","), end=Text("\n"))
