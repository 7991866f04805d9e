# aim: learn which files the host has, how large they are and when they were changed
# mechanism: stat, access, readlink and chdir
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace
# plain: succeeds
# expect: held
# without: mount namespace
judge(lambda: first_success([
    lambda: f"{os.stat(secret_path).st_size} bytes",
    lambda: os.chdir(outside_dir) or f"in {os.getcwd()}",
    lambda: f"readable: {os.access(secret_path, os.R_OK)}" if os.access(secret_path, os.F_OK) else None,
    lambda: f"a link to {os.readlink(f'/proc/{host_pid}/exe')}",
]))
