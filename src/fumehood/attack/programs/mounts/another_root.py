# aim: change the root directory, with and without a change of the mounts
# mechanism: chroot and pivot_root
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
judge(lambda: in_child(lambda: first_success([
    lambda: os.chroot("/") or "chroot was let through",
    lambda: passed_the_gate("pivot_root", b".\0", b".\0", then="EINVAL EBUSY"),
])))
