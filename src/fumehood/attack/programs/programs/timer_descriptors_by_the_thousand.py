# aim: use up the kernel's memory with timers that are descriptors
# mechanism: timerfd_create without end
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: rlimits
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    struct rlimit most = {4096, 4096};
    setrlimit(RLIMIT_NOFILE, &most);
    int made = 0;
    while (made < 2000 && timerfd_create(CLOCK_MONOTONIC, 0) >= 0) made++;
    if (made == 2000) puts("2000 timers");
}
"""

judge(lambda: native(SOURCE))
