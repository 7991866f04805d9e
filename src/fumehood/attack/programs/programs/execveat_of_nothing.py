# aim: execute what has no name, so that no rule on files holds
# mechanism: execveat with AT_EMPTY_PATH of memory, and of the program of another process
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp, landlock
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
extern char **environ;
int main(int count, char **arguments) {
    char *none[] = {"x", 0}, path[64], *program = 0;
    if (count > 2) { puts("executed from memory"); return 0; }
    int memory = syscall(SYS_memfd_create, "x", 0), own = open("/proc/self/exe", O_RDONLY);
    char *again[] = {"x", "y", "z", 0}, piece[65536];
    ssize_t size;
    while (memory >= 0 && (size = read(own, piece, sizeof piece)) > 0) write(memory, piece, size);
    if (memory >= 0) syscall(SYS_execveat, memory, "", again, environ, AT_EMPTY_PATH);
    snprintf(path, 64, "/proc/%s/exe", arguments[1]);
    int other = open(path, O_PATH);
    if (other >= 0) puts("the program of another process is open");
}
"""

judge(lambda: native(SOURCE, str(victim_pid)))
