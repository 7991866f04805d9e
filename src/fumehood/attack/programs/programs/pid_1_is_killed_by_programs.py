# aim: end pid 1, or all processes at once, with a program
# mechanism: kill of 1, of -1 and of every process there is
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: init, pid namespace, seccomp
# plain: none (it would end the test)
# expect: held | fault killed
# host: again, snapshot, command echo answers
def strike():
    run_program(["/bin/bash", "-c", "kill -9 1; kill -STOP 1; kill -TERM 1; kill -TERM -- -1; exit 0"])

judge(strike)
