# aim: start a process in namespaces of its own
# mechanism: clone with CLONE_NEW flags
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def by_clone():
    for flag in (0x10000000, 0x20000, 0x20000000, 0x40000000, 0x8000000, 0x4000000, 0x2000000):
        # The upper half of the flags is junk that the kernel ignores and a careless filter trips over.
        for junk in (0, 0x5A5A << 32):
            try:
                child = syscall("clone", junk | flag | 17, 0, 0, 0, 0)
            except OSError as error:
                refusal = error
                continue
            if child == 0:
                os._exit(0)
            os.waitpid(child, 0)
            return f"clone with flag {flag:#x}"
    raise refusal

judge(by_clone)
