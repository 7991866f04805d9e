# aim: go on computing when the cell has ended, where no time limit ends it
# mechanism: children that outlive their cell and compute
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: clock
# plain: succeeds
# expect: held
# host: rest, read loot
# needs: mount namespace
# housed: the container's own limits hold for all in it
# docker: the container's own limits hold for all in it
readable, writable = os.pipe()
begins = time.monotonic() + 1  # what it does at first may be made up for later
ends = begins + 3
for _ in range(12):
    if os.fork() == 0:
        try:
            counted = 0.0
            while time.monotonic() < ends:
                if time.process_time() - counted > 0.01:
                    counted += 0.01
                    if time.monotonic() > begins:
                        os.write(writable, b".")
        finally:
            os._exit(0)
if os.fork() == 0:
    try:
        os.close(writable)
        counted = 0
        while counted < 60 and os.read(readable, 1):
            counted += 1
        if counted == 60 and time.monotonic() < ends:
            with open("/home/user/loot", "w") as loot:
                loot.write("ESCAPED: 0.6 CPU seconds in 3 s after the cell")
    finally:
        os._exit(0)
"held: it is over"
