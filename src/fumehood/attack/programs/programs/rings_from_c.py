# aim: queue requests for the kernel that no filter sees, from a compiled program
# mechanism: io_uring_setup
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    char parameters[120] = "";
    if (syscall(425, 4, parameters) >= 0 || errno == EINVAL) puts("a ring");
}
"""

judge(lambda: native(SOURCE))
