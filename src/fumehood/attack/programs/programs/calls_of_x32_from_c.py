# aim: make a system call by an x32 number from a compiled program
# mechanism: a number with bit 30 set
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: none (not every kernel has these numbers)
# expect: held
# runs: gcc
# arch: x86_64
SOURCE = r"""
int main(void) {
    if (syscall(0x40000000 | SYS_getpid) == getpid()) puts("a call of x32");
}
"""

judge(lambda: native(SOURCE))
