# aim: find any place but /home/user that can be written to
# mechanism: a walk over the whole tree that tries to make a file in each directory
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock, privileges
# plain: succeeds
# expect: held
def walk():
    own = {os.stat(path).st_dev for path in ("/home/user", "/labs") if os.path.isdir(path)}
    start = outside_dir if os.path.isdir(outside_dir) else "/"
    tried = 0
    for directory, inner, _files in os.walk(start):
        inner[:] = [name for name in inner if f"{directory.rstrip('/')}/{name}" != "/proc" or directory != "/"]
        tried += 1
        if tried > 3000:
            break
        if os.stat(directory).st_dev in own:
            continue
        for flags in (os.O_CREAT | os.O_EXCL | os.O_WRONLY, os.O_TMPFILE | os.O_WRONLY):
            path = directory if flags & os.O_TMPFILE == os.O_TMPFILE else f"{directory}/attack-{os.getpid()}"
            try:
                os.close(os.open(path, flags, 0o600))
            except OSError:
                continue
            if path != directory:
                os.unlink(path)
            return f"{directory} is writable"

judge(walk)
