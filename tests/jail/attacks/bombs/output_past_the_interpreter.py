# aim: fill the host's memory with text written straight to the descriptors
# layer: wire, descriptors
# expect: held | fault output | fault crash | fault killed | fault timeout
# plain: none (in a plain process what is printed goes nowhere)
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
