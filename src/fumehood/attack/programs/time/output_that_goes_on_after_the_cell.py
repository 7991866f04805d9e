# aim: let children print without end, so that the host never sees the end of a cell that is over
# mechanism: children that write to descriptor 1
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: clock, wire
# plain: succeeds
# expect: held | fault output | fault timeout | fault killed
# limits: cell_seconds=2
# needs: mount namespace
for _ in range(4):
    if os.fork() == 0:
        try:
            ends = time.monotonic() + 25
            while time.monotonic() < ends:
                os.write(1, b"x" * (1 << 20))
        finally:
            os._exit(0)
"held: it is over"
