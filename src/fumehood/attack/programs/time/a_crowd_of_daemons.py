# aim: outrun the kill by being a new process every few milliseconds
# mechanism: double forks in a loop
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: init, pid namespace, rlimits
# plain: succeeds
# expect: held
# needs: mount namespace
for _ in range(6):
    if os.fork() == 0:
        ends = time.monotonic() + 15
        try:
            while time.monotonic() < ends:
                try:
                    if os.fork():
                        os._exit(0)
                except OSError:
                    pass
                time.sleep(0.002)
        finally:
            os._exit(0)
"held: it will be closed now"
