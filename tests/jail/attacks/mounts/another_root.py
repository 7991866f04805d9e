# aim: change the root directory, with and without a change of the mounts
# layer: seccomp, privileges
# expect: held
# plain: succeeds
judge(lambda: in_child(lambda: first_success([
    lambda: os.chroot("/") or "chroot was let through",
    lambda: passed_the_gate("pivot_root", b".\0", b".\0", then="EINVAL EBUSY"),
])))
