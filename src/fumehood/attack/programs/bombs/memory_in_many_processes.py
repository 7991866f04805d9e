# aim: use more memory than the limit by spreading it over processes, each below the limit
# mechanism: six children, each below the limit of one process
# language: check
# reason: the policy does not authorize signal
# jail: cgroup
# plain: succeeds
# expect: held | error MemoryError | fault memory | fault killed
# needs: mount namespace
# without: memory cgroup
import signal

def spread():
    children = []
    readable, writable = os.pipe()
    try:
        for _ in range(6):
            child = os.fork()
            if child == 0:
                try:
                    signal.alarm(8)
                    held = bytearray(40 << 20)
                    held[::4096] = b"x" * len(held[::4096])
                    os.write(writable, b"+")
                    time.sleep(1)
                except MemoryError:
                    os.write(writable, b"-")
                finally:
                    os._exit(0)
            children.append(child)
        os.close(writable)
        answers = b""
        while len(answers) < len(children) and (more := os.read(readable, 16)):
            answers += more
            if len(answers) >= len(children):
                break
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    fit = answers.count(b"+")
    return f"{fit * 40} MB at once" if fit * 40 > 2 * 64 else None

judge(spread)
