# aim: let a child hold the wire when the runner dies, so that the host does not notice
# layer: keeper, clock
# expect: fault crash | fault killed
# needs: mount namespace
# plain: none (a plain process has no wire)
if os.fork() == 0:
    try:
        for _ in range(200):
            time.sleep(0.1)
    finally:
        os._exit(0)
os.kill(os.getpid(), 9)
