# aim: make a file in a directory of the host that everybody may write to
# layer: mount namespace, landlock
# expect: held
# plain: succeeds
def mark():
    os.close(os.open(f"{outside_dir}/marker", os.O_CREAT | os.O_WRONLY))
    return "a file outside"

judge(mark)
