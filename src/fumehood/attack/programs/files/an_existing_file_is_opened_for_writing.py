# aim: open a library of the interpreter, which all sandboxes share, for writing
# mechanism: O_WRONLY, reopening by /proc/self/fd, utime
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock, privileges
# plain: succeeds
# expect: held
def open_for_writing():
    def plainly():
        os.close(os.open(os.__file__, os.O_WRONLY))
        return f"{os.__file__} was opened for writing"

    def by_its_descriptor():
        reading = os.open(os.__file__, os.O_RDONLY)
        try:
            os.close(os.open(f"/proc/self/fd/{reading}", os.O_RDWR))
            return f"{os.__file__} was reopened for writing"
        finally:
            os.close(reading)

    def its_times():
        os.utime(os.__file__, (time.time(), os.stat(os.__file__).st_mtime))
        return f"the times of {os.__file__} were changed"

    return first_success([plainly, by_its_descriptor, its_times])

judge(open_for_writing)
