# aim: start threads without end from a compiled program
# mechanism: pthread_create in a loop
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: rlimits
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
static void *sleeps(void *unused) { sleep(10); return 0; }
int main(void) {
    int made = 0;
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 65536);
    while (made < 300 && pthread_create(&thread, &small, sleeps, 0) == 0) made++;
    if (made == 300) puts("300 threads");
    fflush(stdout);
    _exit(0);
}
"""

judge(lambda: native(SOURCE))
