# aim: crash the interpreter with instructions that no compiler writes
# mechanism: code.replace with random bytes for co_code
# source: Ned Batchelder, "Eval really is dangerous", 2012 (a code object made by hand)
# language: check
# reason: __code__: the inside of a function: its module's variables, its code, its defaults
# jail: init
# plain: crashes
# expect: fault crash | fault timeout
# hosts: root
def victim():
    return 0

victim.__code__ = victim.__code__.replace(co_code=bytes([100, 255, 83, 0] * 40), co_consts=(), co_stacksize=0)
victim()
