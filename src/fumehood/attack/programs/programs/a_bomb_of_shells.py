# aim: start processes without end from a shell
# mechanism: a function that starts itself twice, in the background
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: rlimits, pid namespace
# plain: succeeds
# expect: held
def multiply():
    # Each ends by itself after three generations of ten.
    script = 'bomb() { test $1 = 0 || { for i in 1 2 3 4 5 6; do bomb $(($1 - 1)) & done; echo x; wait; }; }; bomb 3'
    _code, told = run_program(["/bin/sh", "-c", script], 8)
    return told.count(b"x") > 40 and f"{told.count(b'x')} shells"

judge(multiply)
