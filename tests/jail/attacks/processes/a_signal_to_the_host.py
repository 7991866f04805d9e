# aim: signal the process that holds the executor, and its parent
# layer: pid namespace, seccomp, landlock
# expect: held
# plain: succeeds
def touch():
    # Signal 0 asks only whether one might.
    return first_success([lambda: os.kill(host_pid, 0) or "the host can be signalled", lambda: os.getppid() > 1 and (os.kill(os.getppid(), 0) or "the parent can be signalled")])

judge(touch)
