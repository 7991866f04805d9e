# aim: signal the process that holds the executor, and its parent
# mechanism: kill of the host's and the parent's number
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: pid namespace, seccomp, landlock
# plain: succeeds
# expect: held
def touch():
    # Signal 0 asks only whether one might.
    return first_success([lambda: os.kill(host_pid, 0) or "the host can be signalled", lambda: os.getppid() > 1 and (os.kill(os.getppid(), 0) or "the parent can be signalled")])

judge(touch)
