# aim: trace a child and read the memory of its parent from a compiled program
# mechanism: ptrace and process_vm_readv
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    char here[8] = "secret", copy[8] = "";
    struct iovec mine = {copy, 8}, theirs = {here, 8};
    pid_t child = fork();
    if (child == 0) { for (;;) pause(); }
    if (ptrace(PTRACE_ATTACH, child, 0, 0) == 0) puts("a child is traced");
    if (process_vm_readv(child, &mine, 1, &theirs, 1, 0) == 8) puts("memory of a child is read");
    if (process_vm_writev(child, &mine, 1, &theirs, 1, 0) == 8) puts("memory of a child is written");
    kill(child, SIGKILL);
    waitpid(child, 0, 0);
}
"""

judge(lambda: native(SOURCE))
