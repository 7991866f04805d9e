# aim: outlive every signal and the end of the sandbox
# mechanism: processes that ignore signals, watch each other and start a new one for each that ends
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: init, pid namespace
# plain: succeeds
# expect: held
# runs: gcc
# host: again, close
SOURCE = r"""
static volatile int left = 400;
static void guard(int depth) {
    for (int i = 1; i < 32; i++) signal(i, SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, 0);
    setsid();
    alarm(0);
    for (time_t end = time(0) + 8; time(0) < end && left-- > 0;) {
        pid_t child = fork();
        if (child == 0) { if (depth) guard(depth - 1); usleep(200000); _exit(0); }
        if (child < 0) usleep(10000); else waitpid(child, 0, 0);
    }
    _exit(0);
}
int main(void) {
    for (int i = 0; i < 3; i++) if (fork() == 0) guard(2);
    _exit(0);
}
"""

judge(lambda: run_program([compile_c(SOURCE)], 15, stdout=-3, stderr=-3)[1])
