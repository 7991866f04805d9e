# aim: leave a key in a keyring that other sandboxes of the user share, from a compiled program
# mechanism: add_key, keyctl and request_key
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    if (syscall(SYS_add_key, "user", "fumehood", "x", 1, -4) >= 0) puts("a key in the keyring of the user");
    if (syscall(SYS_keyctl, 0, -3, 1) >= 0) puts("the keyring of the session");
}
"""

judge(lambda: native(SOURCE))
