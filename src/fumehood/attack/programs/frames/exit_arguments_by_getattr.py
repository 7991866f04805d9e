# aim: read the frame from the traceback that __exit__ is given, by a computed name
# mechanism: getattr on an argument
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        loot(getattr(traceback, "tb_fr" + "ame"))
        return True


with Manager():
    1 / 0
