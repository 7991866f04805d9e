# aim: attach a traceback to another exception and read it there
# mechanism: with_traceback is an ordinary name, reading is by computed name
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

class Keeper(Exception):
    def with_traceback(self, trace):
        loot(getattr(trace, "tb_fr" + "ame"))
        return self


try:
    1 / 0
except ZeroDivisionError as error:
    Keeper().with_traceback(getattr(error, "__trace" + "back__"))
