# aim: make a system call by the gate of 32-bit programs from a compiled program
# mechanism: int 0x80
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: none (not every kernel has the gate)
# expect: held
# runs: gcc
# arch: x86_64
SOURCE = r"""
int main(void) {
    int number = 20;  /* getpid */
    __asm__ volatile("int $0x80" : "+a"(number) :: "memory");
    if (number == getpid()) puts("a call of 32 bits");
}
"""

judge(lambda: native(SOURCE))
