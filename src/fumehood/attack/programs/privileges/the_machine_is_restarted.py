# aim: restart the machine, load a kernel module, set up a new kernel
# mechanism: reboot, init_module, kexec_load with arguments that do nothing
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
judge(lambda: first_success([
    # Each with an argument that is wrong, noticed only after the caller's rights were found to be enough.
    lambda: passed_the_gate("reboot", 1, 2, 3, 0, then="EINVAL"),
    lambda: passed_the_gate("init_module", b"", 0, b"\0", then="ENOEXEC EFAULT EINVAL"),
    lambda: passed_the_gate("finit_module", -1, b"\0", 0, then="EBADF ENOEXEC"),
]))
