# aim: go on running after the sandbox is closed, in a session of its own if it can have one
# mechanism: setsid and a double fork
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: init, pid namespace
# plain: succeeds
# expect: held
# needs: mount namespace
def begin_anew():
    try:
        os.setsid()
    except OSError:
        pass

if os.fork() == 0:
    try:
        begin_anew()
        if os.fork() == 0:
            for _ in range(200):
                time.sleep(0.1)
    finally:
        os._exit(0)
"held: it will be closed now"
