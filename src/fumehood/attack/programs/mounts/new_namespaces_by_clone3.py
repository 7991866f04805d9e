# aim: start a process in namespaces of its own by the call whose flags a filter cannot see
# mechanism: clone3 with CLONE_NEW flags
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def by_clone3():
    arguments = ctypes.create_string_buffer(struct.pack("QQQQQQQQ", 0x10000000, 0, 0, 0, 17, 0, 0, 0))
    child = syscall("clone3", arguments, 64)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "clone3 was let through"

judge(by_clone3)
