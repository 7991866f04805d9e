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

# A child that has reported may be killed by the kernel to make room for the next, so reports are
# not counted. When every child has reported or ended, the parent asks those that are left to answer
# once more: they all hold their memory at that moment.
def hold(asked, answers):
    try:
        signal.alarm(20)
        held = bytearray(40 << 20)
        held[::4096] = b"x" * len(held[::4096])
        os.write(answers, b"+")
        os.read(asked, 1)
        if held.count(b"x") == len(held) // 4096:
            os.write(answers, b"!")
        os.read(asked, 1)
    except MemoryError:
        pass
    finally:
        os._exit(0)

def spread():
    children = []
    try:
        for _ in range(6):
            asked, ask = os.pipe()
            answers, answer = os.pipe()
            child = os.fork()
            if child == 0:
                os.close(ask)
                os.close(answers)
                for _, other, _ in children:
                    os.close(other)
                hold(asked, answer)
            os.close(asked)
            os.close(answer)
            children.append((child, ask, answers))
        holding = [(ask, answers) for _, ask, answers in children if os.read(answers, 1) == b"+"]
        for ask, _ in holding:
            try:
                os.write(ask, b"?")
            except OSError:
                pass  # it was killed
        fit = sum(os.read(answers, 1) == b"!" for _, answers in holding)
    finally:
        for child, _, _ in children:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return f"{fit * 40} MB at once" if fit * 40 > 2 * 64 else None

judge(spread)
