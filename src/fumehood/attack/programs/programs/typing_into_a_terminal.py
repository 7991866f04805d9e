# aim: type into a terminal, as whoever sits there would
# mechanism: TIOCSTI on a terminal of its own
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: seccomp
# plain: succeeds
# expect: held
import fcntl
import termios

def type_into():
    master, slave = os.openpty()
    if os.fork() == 0:
        os.setsid()
        try:
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
            fcntl.ioctl(slave, termios.TIOCSTI, b"x")
            os.write(master, b"TYPED")
        finally:
            os._exit(0)
    os.wait()
    settings = termios.tcgetattr(slave)
    settings[3] &= ~termios.ICANON
    termios.tcsetattr(slave, termios.TCSANOW, settings)
    count = fcntl.ioctl(slave, termios.FIONREAD, bytes(4))
    return int.from_bytes(count, "little") > 0 and "it was typed"

judge(type_into)
