# aim: load a program into the kernel from a compiled program
# mechanism: bpf, BPF_MAP_CREATE
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# runs: gcc
SOURCE = r"""
int main(void) {
    unsigned map[18] = {2, 4, 4, 1};
    if (syscall(SYS_bpf, 0, map, sizeof map) >= 0) puts("a map");
}
"""

judge(lambda: native(SOURCE))
