# aim: make the kernel signal a process of the host when a pipe is ready
# mechanism: F_SETOWN and O_ASYNC on a pipe
# language: check
# reason: the policy does not authorize fcntl
# jail: pid namespace, seccomp
# plain: succeeds
# expect: held
import fcntl

def by_descriptor():
    readable, writable = os.pipe()
    fcntl.fcntl(readable, fcntl.F_SETOWN, victim_pid)
    fcntl.fcntl(readable, 10, 10)  # F_SETSIG, SIGUSR1
    fcntl.fcntl(readable, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writable, b"x")
    time.sleep(0.05)
    return "a pipe that signals the victim"

judge(by_descriptor)
