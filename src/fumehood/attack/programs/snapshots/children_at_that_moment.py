# aim: have a process live on in a state that was gone back from
# mechanism: a child that writes to /home/user while a snapshot is taken and gone back to
# language: check
# reason: open: opens files of the host
# jail: init, pid namespace
# plain: none (a plain process has no snapshots)
# expect: held
# host: snapshot, again, fork
# hosts: root
# needs: mount namespace
if os.fork() == 0:
    until = time.monotonic() + 2
    while time.monotonic() < until:
        with open("/home/user/alive", "a") as file:
            file.write("x")
        time.sleep(0.005)
    os._exit(0)
"held: a child goes on"
