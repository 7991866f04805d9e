# aim: make System V shared memory, semaphores and queues
# layer: seccomp, ipc namespace
# expect: held
# plain: succeeds
judge(lambda: first_success([
    lambda: f"segment {syscall('shmget', 0, 4096, 0o1600)}",
    lambda: f"semaphores {syscall('semget', 0, 1, 0o1600)}",
    lambda: f"queue {syscall('msgget', 0, 0o1600)}",
]))
