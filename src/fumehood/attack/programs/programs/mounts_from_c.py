# aim: change what is mounted from a compiled program
# mechanism: mount, umount2, pivot_root and chroot
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    mkdir("place", 0700);
    if (mount("none", "place", "tmpfs", 0, 0) == 0) puts("a mount");
    if (mount("/", "place", 0, MS_BIND, 0) == 0) puts("a bind mount");
    if (umount2("place", MNT_DETACH) == 0) puts("an unmount");
    if (syscall(SYS_pivot_root, "nowhere", "nowhere") == -1 && errno == ENOENT) puts("another root");
    if (chroot("place") == 0) puts("a root of its own");
}
"""

judge(lambda: native(SOURCE))
