# aim: let a child write to the wire at the same time
# mechanism: parent and child write to the wire at once
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed | fault timeout
# limits: cell_seconds=2
# needs: mount namespace
if os.fork() == 0:
    try:
        for _ in range(200):
            for number in sockets():
                os.write(number, b"\0\0\0\2\0\0\0\0{}")
            time.sleep(0.005)
    finally:
        os._exit(0)
time.sleep(0.3)
"held: nobody minded"
