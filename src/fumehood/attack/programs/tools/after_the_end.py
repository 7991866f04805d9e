# aim: call a tool when the executor is closed
# mechanism: a child in a session of its own that goes on calling
# language: view
# reason: the module that code is given does not hold it
# jail: wire, init
# plain: none (a plain process has no tools of a host)
# expect: held
# host: close
# hosts: root
# needs: mount namespace
if os.fork() == 0:
    try:
        os.setsid()
    except OSError:
        pass
    until = time.monotonic() + 3
    while time.monotonic() < until:
        try:
            loot = add(1, 1)
        except BaseException:
            pass
    os._exit(0)
"held: it goes on"
