# aim: keep the host from going back by named pipes that are in use
# mechanism: programs that wait to open, to read and to write named pipes
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: files, init, clock
# plain: none (what is attacked is the host's end)
# expect: held
# host: list, snapshot, fork, again
# needs: mount namespace
def leave():
    for name in ("first", "second", "third"):
        os.mkfifo(name)
    script = "cat first >/dev/null & cat <>second >/dev/null & yes <>third >third & (exec 9<>first; sleep 20) &"
    run_program(["/bin/bash", "-c", script], stdout=-3, stderr=-3)

judge(leave)
