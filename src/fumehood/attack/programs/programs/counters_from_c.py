# aim: count what other processes do from a compiled program
# mechanism: perf_event_open
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    struct { unsigned type, size; uint64_t config, rest[12]; } event = {1, 112, 0};
    if (syscall(SYS_perf_event_open, &event, 0, -1, -1, 0) >= 0) puts("a counter");
}
"""

judge(lambda: native(SOURCE))
