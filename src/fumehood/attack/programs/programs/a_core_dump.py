# aim: have the kernel write a core, in a place or to a program of the host's choice
# mechanism: a crash with RLIMIT_CORE raised
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: rlimits
# plain: none (what becomes of a core is a setting of the machine)
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
    setrlimit(RLIMIT_CORE, &all);
    getrlimit(RLIMIT_CORE, &all);
    all.rlim_cur = all.rlim_max;
    setrlimit(RLIMIT_CORE, &all);
    prctl(PR_SET_DUMPABLE, 1);
    *(volatile int *)8 = 1;
}
"""

def dump():
    path = compile_c(SOURCE)
    child = os.fork()
    if child == 0:
        os.execv(path, [path])
    if os.WCOREDUMP(os.waitpid(child, 0)[1]):
        return f"a core: {[name for name in os.listdir('.') if 'core' in name]}"

judge(dump)
