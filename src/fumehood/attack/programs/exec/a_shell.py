# aim: run a command through the shell
# mechanism: os.system
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: seccomp, mount namespace, landlock
# plain: succeeds
# expect: held
# programs: the shell ran (it aims at no more than to execute a program)
def shell():
    return "the shell ran" if os.system("exit 7") == 7 << 8 else None

judge(shell)
