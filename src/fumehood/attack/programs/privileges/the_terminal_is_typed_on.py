# aim: type commands on a terminal that the host left open
# mechanism: TIOCSTI on every terminal found
# source: CVE-2017-5226
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: descriptors, seccomp, landlock
# plain: succeeds
# expect: held
import fcntl
import termios

def type_on_it():
    for number in [*open_descriptors(), "/dev/tty", "/dev/pts/0", "/dev/pts/1"]:
        try:
            descriptor = number if isinstance(number, int) else os.open(number, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            if isinstance(number, int) and not os.isatty(number):
                fcntl.ioctl(number, 0x5412, b"x")
                return f"TIOCSTI on {number}"
            fcntl.ioctl(descriptor, termios.TIOCSTI, b"x")
            return f"typed on {number}"
        except OSError as error:
            refusal = error
    raise refusal

judge(type_on_it)
