# aim: reach the rarely used corners of the kernel: io_uring, aio, message queues, fanotify, inotify
# mechanism: io_uring_setup, io_setup, mq_open, fanotify_init, inotify_init1
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def corners():
    context = (ctypes.c_ulong * 1)(0)
    return first_success([
        lambda: f"io_uring {syscall('io_uring_setup', 1, ctypes.create_string_buffer(120))}",
        lambda: f"aio {syscall('io_setup', 1, context)}",
        lambda: f"a queue {syscall('mq_open', b'attack' + bytes(1), 0o102, 0o600, 0)}",
        lambda: f"fanotify {syscall('fanotify_init', 0, 0)}",
        lambda: f"inotify {syscall('inotify_init1', 0)}",
        lambda: f"secret memory {syscall('memfd_secret', 0)}",
    ])

judge(corners)
