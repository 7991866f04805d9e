# aim: fill the host's memory with text written straight to the descriptors
# mechanism: os.write to descriptors 1 and 2
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: wire, descriptors
# plain: none (in a plain process what is printed goes nowhere)
# expect: held | fault output | fault crash | fault killed | fault timeout
# limits: cell_seconds=5
def flood():
    line = b"x" * (1 << 16)
    for descriptor in (1, 2):
        os.set_blocking(descriptor, False)
        for _ in range(3000):
            try:
                os.write(descriptor, line)
            except OSError:
                break

judge(flood)
