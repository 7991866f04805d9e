# aim: be another user by a program of its own with the set-user-id bit
# mechanism: chown, chmod 6755 and execve of a compiled program
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: privileges, lab, seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    uid_t real, effective, saved;
    getresuid(&real, &effective, &saved);
    if (effective != real || saved != real || getegid() != getgid()) printf("user %d as user %d\n", real, effective);
}
"""

def become():
    path = compile_c(SOURCE)
    for user in (0, 1, 65533):
        try:
            os.chown(path, user, user)
        except OSError:
            pass
        os.chmod(path, 0o6755)
        _code, told = run_program([path])
        if told:
            return told.decode()

judge(become)
