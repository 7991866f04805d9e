# aim: enter new namespaces from a compiled program
# mechanism: unshare and clone with every CLONE_NEW flag
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
static int nothing(void *unused) { return 0; }
int main(void) {
    int flags[] = {0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000, 0x80};
    static char stack[65536];
    for (int i = 0; i < 8; i++) {
        pid_t child = fork();
        if (child == 0) _exit(unshare(flags[i]) == 0);
        int status = 0;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status)) printf("unshare %x\n", flags[i]);
        if (i < 7 && (child = clone(nothing, stack + 65536, flags[i] | SIGCHLD, 0)) > 0) {
            printf("clone %x\n", flags[i]);
            waitpid(child, 0, 0);
        }
    }
}
"""

judge(lambda: native(SOURCE))
