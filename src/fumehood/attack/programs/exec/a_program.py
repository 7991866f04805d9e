# aim: run another program
# mechanism: subprocess.run of programs that most machines have
# language: check
# reason: the policy does not authorize subprocess
# jail: seccomp, mount namespace, landlock
# plain: succeeds
# expect: held
# programs: /bin/true ran (it aims at no more than to execute a program)
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
