# aim: keep something in a file where the policy has no files
# mechanism: every way to make, link, map or name a file, in every directory that a process can name
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock, rlimits, privileges
# plain: succeeds
# expect: held
# files: no
def write():
    directories = ["/home/user", "/tmp", "/dev/shm", "/labs", "/packages", "/var/tmp", "/run", "/dev", ".", "/", outside_dir]
    directories += [f"/proc/{who}/{what}" for who in ("self", 1) for what in ("cwd", "root", "fd/4", "fd/4/home", "root/labs")]
    for base in ("/labs", "/proc"):
        try:
            directories += [f"{base}/{name}" for name in os.listdir(base)][:200]
        except OSError:
            pass
    for directory in directories:
        path = f"{directory}/attack-{os.getpid()}"
        for flags, name in (
            (os.O_CREAT | os.O_EXCL | os.O_RDWR, path),
            (os.O_TMPFILE | os.O_RDWR, directory),
        ):
            try:
                descriptor = os.open(name, flags, 0o600)
            except OSError:
                continue
            try:
                os.write(descriptor, b"kept")
                if os.pread(descriptor, 4, 0) == b"kept":
                    return f"{directory} keeps content"
            except OSError:
                continue
            finally:
                os.close(descriptor)
                if name == path:
                    os.unlink(path)
    for make in (
        lambda: os.ftruncate(os.memfd_create("kept"), 4096),
        lambda: __import__("multiprocessing.shared_memory").shared_memory.SharedMemory(create=True, size=4096),
    ):
        try:
            make()
        except (OSError, AttributeError, ImportError):
            continue
        return "memory with a name"

judge(write)
