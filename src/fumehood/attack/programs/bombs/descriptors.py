# aim: open descriptors without end
# mechanism: os.open in a loop, nothing closed
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: rlimits
# plain: succeeds
# expect: held
def open_all():
    held = []
    try:
        for _ in range(2000):
            held.append(os.open("/dev/null", os.O_RDONLY))
    finally:
        for descriptor in held:
            os.close(descriptor)
    return f"{len(held)} descriptors"

judge(open_all)
