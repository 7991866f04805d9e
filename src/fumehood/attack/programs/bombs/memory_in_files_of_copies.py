# aim: use more memory than the limit in files, where copies of the directory are kept
# mechanism: files in every tmpfs of the sandbox, beside variables just below the limit
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: cgroup, lab
# plain: succeeds
# expect: held | error MemoryError | fault memory | fault killed
# needs: mount namespace
# without: memory cgroup
def fill():
    held = bytearray(56 << 20)
    held[::4096] = b"x" * len(held[::4096])
    total = len(held)
    for directory in ("/labs", "."):
        if not os.path.isdir(directory):
            continue
        try:
            for number in range(20):
                descriptor = os.open(f"{directory}/more-{number}", os.O_CREAT | os.O_WRONLY, 0o600)
                total += os.write(descriptor, held[: 6 << 20])
                os.close(descriptor)
        except OSError:
            pass  # this one is full
    return f"{total >> 20} MB at once" if total > 2 * 64 << 20 else None

judge(fill)
