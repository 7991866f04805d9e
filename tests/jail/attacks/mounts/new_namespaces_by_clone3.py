# aim: start a process in namespaces of its own by the call whose flags a filter cannot see
# layer: seccomp
# expect: held
# plain: succeeds
def by_clone3():
    arguments = ctypes.create_string_buffer(struct.pack("QQQQQQQQ", 0x10000000, 0, 0, 0, 17, 0, 0, 0))
    child = syscall("clone3", arguments, 64)
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return "clone3 was let through"

judge(by_clone3)
