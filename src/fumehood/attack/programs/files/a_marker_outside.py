# aim: make a file in a directory of the host that everybody may write to
# mechanism: open with O_CREAT
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: mount namespace, landlock
# plain: succeeds
# expect: held
def mark():
    os.close(os.open(f"{outside_dir}/marker", os.O_CREAT | os.O_WRONLY))
    return "a file outside"

judge(mark)
