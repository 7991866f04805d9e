# aim: use up the kernel's memory with timers
# mechanism: timer_create without end
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: rlimits
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    struct sigevent event = {.sigev_notify = SIGEV_NONE};
    int made = 0;
    timer_t timer;
    while (made < 3000 && timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) made++;
    if (made == 3000) puts("3000 timers");
}
"""

judge(lambda: native(SOURCE))
