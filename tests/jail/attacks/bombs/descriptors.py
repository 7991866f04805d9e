# aim: open descriptors without end
# layer: rlimits
# expect: held
# plain: succeeds
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
