# aim: keep the host waiting for a checkpoint that is gone
# mechanism: kill every other process of the sandbox, and die
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: init
# plain: none (a plain process has no checkpoint)
# expect: fault killed
# host: again
# needs: mount namespace
for name in os.listdir("/proc"):
    if name.isdigit() and int(name) not in (1, os.getpid()):
        try:
            os.kill(int(name), 9)
        except OSError:
            pass
time.sleep(0.1)
os.kill(os.getpid(), 9)
