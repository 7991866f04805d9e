# aim: make the machine's disk and memory appear as files
# mechanism: mknod and open of block and character devices
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp, landlock, privileges
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    if (mknod("disk", S_IFBLK | 0600, makedev(254, 0)) == 0) puts("a disk");
    if (mknodat(AT_FDCWD, "memory", S_IFCHR | 0600, makedev(1, 1)) == 0) puts("memory");
    if (mknod("console", S_IFCHR | 0600, makedev(5, 1)) == 0) puts("the console");
}
"""

judge(lambda: native(SOURCE))
