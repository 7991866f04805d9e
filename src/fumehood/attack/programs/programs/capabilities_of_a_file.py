# aim: give a program of its own capabilities
# mechanism: setxattr of security.capability
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp, privileges
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    char capabilities[20] = {1, 0, 0, 2, 0, 0, 32, 0};
    if (setxattr("native", "security.capability", capabilities, 20, 0) == 0) puts("capabilities of a file");
}
"""

judge(lambda: native(SOURCE))
