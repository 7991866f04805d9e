# aim: make System V shared memory, semaphores and queues
# mechanism: shmget, semget, msgget
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, ipc namespace
# plain: succeeds
# expect: held
judge(lambda: first_success([
    lambda: f"segment {syscall('shmget', 0, 4096, 0o1600)}",
    lambda: f"semaphores {syscall('semget', 0, 1, 0o1600)}",
    lambda: f"queue {syscall('msgget', 0, 0o1600)}",
]))
