# aim: open the machine's memory, its disk or its kernel log
# mechanism: open of device files
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock, privileges
# plain: succeeds
# expect: held
# programs: /dev/ptmx (terminals of a devpts of its own; programs/terminals_of_the_host looks for others)
def devices():
    for name in ("mem", "kmem", "port", "kmsg", "vda", "sda", "nvme0n1", "loop0", "fuse", "kvm", "net/tun", "vsock", "ptmx", "pts/0", "tty", "console", "input/event0", "shm/x"):
        yield lambda path=f"/dev/{name}": os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY)) or path

judge(lambda: first_success(devices()))
