# aim: have the rights of root by a program of the machine
# mechanism: the identity of set-user-id programs while they run
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: privileges, mount namespace
# plain: none (a plain run is root already)
# expect: held
import subprocess

def privileged():
    found = []
    for path in ("/usr/bin/su", "/usr/bin/passwd", "/usr/bin/chsh", "/usr/bin/newgrp", "/usr/bin/gpasswd", "/usr/bin/sudo", "/usr/bin/mount"):
        if not os.path.exists(path):
            continue
        with subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
            try:
                status = read_bytes(f"/proc/{process.pid}/status").decode()
            finally:
                process.kill()
        fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        if len(set(fields["Uid"].split())) > 1 or int(fields["CapEff"], 16) or int(fields["CapPrm"], 16):
            found.append(f"{path} has users {fields['Uid']} and capabilities {fields['CapEff']}")
    return found

judge(privileged)
