# aim: take away the mounts that hide the host
# mechanism: umount2 with MNT_DETACH
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def unmount():
    # Lazily, and of what is mounted on top: /proc in a plain process, /home/user or /proc in the jail.
    for path in (b"/home/user\0", b"/proc\0"):
        try:
            syscall("umount2", path, 2)
        except OSError as error:
            refusal = error
        else:
            return f"{path!r} was unmounted"
    raise refusal

judge(lambda: in_child(unmount) or unmount())
