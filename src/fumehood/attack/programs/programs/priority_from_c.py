# aim: take the processor from everything else on the machine
# mechanism: nice, sched_setscheduler and ioprio_set
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: privileges, seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    struct sched_param first = {1};
    if (setpriority(PRIO_PROCESS, 0, -10) == 0) puts("a higher priority");
    if (sched_setscheduler(0, SCHED_FIFO, &first) == 0) puts("before all others");
    if (syscall(SYS_ioprio_set, 1, 0, 1 << 13) == 0) puts("the disk before all others");
}
"""

judge(lambda: native(SOURCE))
