# aim: start processes without end
# mechanism: os.fork in a loop, the children asleep
# language: check
# reason: the policy does not authorize signal
# jail: rlimits, pid namespace
# plain: succeeds
# expect: held
import signal

def multiply():
    children = []
    try:
        while len(children) < 200:
            child = os.fork()
            if child == 0:
                signal.alarm(10)
                signal.pause()
                os._exit(0)
            children.append(child)
    except OSError:
        pass
    finally:
        for child in children:
            os.kill(child, signal.SIGKILL)
        for child in children:
            os.waitpid(child, 0)
    return f"{len(children)} processes" if len(children) >= 200 else None

judge(multiply)
