# aim: type commands on a terminal that the host left open
# layer: descriptors, seccomp, landlock
# expect: held
# plain: succeeds
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
