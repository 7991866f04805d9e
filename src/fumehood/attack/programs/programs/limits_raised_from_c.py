# aim: raise the limits of the sandbox from a compiled program
# mechanism: setrlimit and prlimit, of itself and of its parent
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: privileges, seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    int kinds[] = {RLIMIT_NPROC, RLIMIT_NOFILE, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_MSGQUEUE, RLIMIT_RTPRIO};
    for (int i = 0; i < 6; i++) {
        struct rlimit now, more;
        getrlimit(kinds[i], &now);
        more = now;
        more.rlim_max = now.rlim_max == RLIM_INFINITY ? now.rlim_max : now.rlim_max + 1;
        if (more.rlim_max == now.rlim_max) { if (geteuid()) continue; }
        if (setrlimit(kinds[i], &more) == 0) printf("limit %d of itself\n", kinds[i]);
        if (prlimit(getppid(), kinds[i], &more, 0) == 0) printf("limit %d of its parent\n", kinds[i]);
    }
}
"""

judge(lambda: native(SOURCE))
