# aim: switch off the protections of the next program
# mechanism: personality with ADDR_NO_RANDOMIZE and READ_IMPLIES_EXEC
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    if (personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC) != -1) puts("another personality");
}
"""

judge(lambda: native(SOURCE))
