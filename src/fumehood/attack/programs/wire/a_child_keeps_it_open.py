# aim: let a child hold the wire when the runner dies, so that the host does not notice
# mechanism: fork, then the parent kills itself
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: init, clock
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed
# needs: mount namespace
if os.fork() == 0:
    try:
        for _ in range(200):
            time.sleep(0.1)
    finally:
        os._exit(0)
os.kill(os.getpid(), 9)
