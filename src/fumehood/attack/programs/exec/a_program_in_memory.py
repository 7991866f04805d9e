# aim: write a program to an anonymous file and run it
# mechanism: memfd_create, then execve of /proc/self/fd
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: seccomp
# plain: succeeds
# expect: held
def from_memory():
    descriptor = os.memfd_create("program", 0)
    os.write(descriptor, b"#!/bin/sh\nexit 7\n")
    def execute():
        os.execve(descriptor, ["x"], {})
    child = os.fork()
    if child == 0:
        try:
            execute()
        finally:
            os._exit(1)
    return "it ran" if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7 else "an anonymous file"

judge(from_memory)
