# aim: go on after the sandbox is closed
# mechanism: a program in a session of its own, started twice over
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: init, pid namespace
# plain: succeeds
# expect: held
# host: close
def leave():
    # Without the standard streams of whoever waits for its end.
    run_program(["/bin/sh", "-c", "setsid sh -c '(trap \"\" HUP TERM; sleep 15) </dev/null >/dev/null 2>&1 &' &"])

judge(leave)
