# aim: start processes without end from a compiled program
# mechanism: fork in a loop, the children asleep
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: rlimits, pid namespace
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    pid_t children[200];
    int made = 0;
    for (; made < 200; made++) {
        children[made] = fork();
        if (children[made] == 0) { alarm(10); pause(); _exit(0); }
        if (children[made] < 0) break;
    }
    if (made == 200) puts("200 processes");
    while (made-- > 0) kill(children[made], SIGKILL);
    while (wait(0) > 0);
}
"""

judge(lambda: native(SOURCE))
