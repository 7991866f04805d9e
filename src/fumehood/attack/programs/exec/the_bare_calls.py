# aim: replace this process by another program with the bare system calls
# mechanism: execve and execveat as raw system calls
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, landlock
# plain: succeeds
# expect: held
# programs: execve was let through, * (it aims at no more than to execute a program)
def by_the_call():
    # A program that does not exist: ENOENT is an answer only to who may ask.
    null = (ctypes.c_char_p * 1)(None)
    return passed_the_gate("execve", b"/nonexistent\0", null, null, then="ENOENT")

def by_descriptor():
    null = (ctypes.c_char_p * 1)(None)
    return passed_the_gate("execveat", -100, b"/nonexistent\0", null, null, 0, then="ENOENT")

judge(lambda: first_success([by_the_call, by_descriptor]))
