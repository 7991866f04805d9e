# aim: stop the kernel in the middle of a copy from a compiled program
# mechanism: userfaultfd
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    if (syscall(SYS_userfaultfd, 0) >= 0 || syscall(SYS_userfaultfd, 1) >= 0) puts("a descriptor for page faults");
}
"""

judge(lambda: native(SOURCE))
