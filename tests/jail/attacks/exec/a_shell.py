# aim: run a command through the shell
# layer: seccomp, mount namespace, landlock
# expect: held
# plain: succeeds
def shell():
    return "the shell ran" if os.system("exit 7") == 7 << 8 else None

judge(shell)
