# aim: leave a mark on the class of an error that a guard raised
# mechanism: the classes of fumehood's own errors are shared by every session
# language: run
# reason: what code sets on a class of the host's is put back
# jail: process
# plain: none (the classes exist only in fumehood)

try:
    getattr(str, "__subcla" + "sses__")
except Exception as error:
    type(error).mark = 1
type(compile("1", "", "eval")).mark = 1
# --- second executor
try:
    getattr(str, "__subcla" + "sses__")
except Exception as error:
    if hasattr(type(error), "mark"):
        loot("mutated: the class of an error")
if hasattr(type(compile("1", "", "eval")), "mark"):
    loot("mutated: the class of compiled text")
