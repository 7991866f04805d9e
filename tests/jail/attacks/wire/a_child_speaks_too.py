# aim: let a child write to the wire at the same time
# layer: wire
# expect: held | fault crash | fault killed | fault timeout
# needs: mount namespace
# plain: none (a plain process has no wire)
# limits: cell_seconds=2
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
