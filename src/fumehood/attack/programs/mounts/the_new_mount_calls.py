# aim: mount by the calls that came after mount: fsopen, open_tree, move_mount, mount_setattr
# mechanism: fsopen, fsmount, open_tree, move_mount, mount_setattr
# source: CVE-2022-0185
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
judge(lambda: first_success([
    lambda: f"fsopen gave {syscall('fsopen', b'tmpfs' + bytes(1), 0)}",
    lambda: f"open_tree gave {syscall('open_tree', -100, b'/' + bytes(1), 1)}",
    lambda: passed_the_gate("move_mount", -1, b"\0", -1, b"\0", 0x44, then="EBADF"),
    lambda: passed_the_gate("mount_setattr", -100, b"/nonexistent\0", 0, struct.pack("QQQQ", 1, 0, 0, 0), 32, then="ENOENT"),
]))
