# aim: fill the memory behind /dev/shm, /run or /tmp
# mechanism: a file in every directory that is memory on most machines
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock, rlimits
# plain: succeeds
# expect: held | fault memory
def fill():
    for directory in ("/dev/shm", "/run", "/tmp", "/dev", "/var/tmp", "/etc"):
        if os.path.isdir("/home/user") and os.path.isdir(directory) and os.stat(directory).st_dev == os.stat("/home/user").st_dev:
            continue
        path = f"{directory}/attack-{os.getpid()}"
        try:
            descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except OSError as error:
            refusal = error
            continue
        os.unlink(path)
        return f"{directory} takes files: {os.write(descriptor, b'x' * (1 << 20))} bytes"
    raise refusal

judge(fill)
