# aim: let children print without end, so that the host never sees the end of a cell that is over
# layer: clock, wire
# expect: held | fault output | fault timeout | fault killed
# needs: mount namespace
# plain: succeeds
# limits: cell_seconds=2
for _ in range(4):
    if os.fork() == 0:
        try:
            ends = time.monotonic() + 25
            while time.monotonic() < ends:
                os.write(1, b"x" * (1 << 20))
        finally:
            os._exit(0)
"held: it is over"
