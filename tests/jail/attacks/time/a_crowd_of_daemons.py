# aim: outrun the kill by being a new process every few milliseconds
# layer: keeper, pid namespace, rlimits
# expect: held
# needs: mount namespace
# plain: succeeds
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
