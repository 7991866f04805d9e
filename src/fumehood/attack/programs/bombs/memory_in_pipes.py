# aim: use the kernel's memory by filling pipes
# mechanism: pipes enlarged with F_SETPIPE_SZ and filled
# language: check
# reason: the policy does not authorize fcntl
# jail: rlimits, cgroup
# plain: succeeds
# expect: held | fault memory
import fcntl

def fill():
    total = 0
    pipes = []
    for _ in range(200):
        try:
            readable, writable = os.pipe()
        except OSError:
            break
        pipes.append((readable, writable))
        os.set_blocking(writable, False)
        try:
            fcntl.fcntl(writable, 1031, 1 << 20)  # F_SETPIPE_SZ
        except OSError:
            pass
        try:
            while True:
                total += os.write(writable, b"x" * (1 << 16))
        except BlockingIOError:
            continue
    for readable, writable in pipes:
        os.close(readable)
        os.close(writable)
    return f"{total >> 20} MB in pipes" if total > 128 << 20 else None

judge(fill)
