# aim: run another program
# layer: seccomp, mount namespace, landlock
# expect: held
# plain: succeeds
import subprocess

def run():
    for command in (["/bin/true"], ["/usr/bin/id"], ["/bin/sh", "-c", ":"], [os.path.realpath(sys.executable), "-c", "0"]):
        try:
            subprocess.run(command, check=True, timeout=5, capture_output=True)
        except (OSError, subprocess.SubprocessError) as error:
            refusal = error
        else:
            return f"{command[0]} ran"
    raise OSError(str(refusal))

judge(run)
