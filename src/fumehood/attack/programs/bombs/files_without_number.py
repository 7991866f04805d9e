# aim: make more files than there is room to remember
# mechanism: ten thousand empty files in one directory
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: lab
# plain: succeeds
# expect: held | fault memory
# needs: mount namespace
def fill():
    os.makedirs("many", exist_ok=True)
    for number in range(10_000):
        os.close(os.open(f"many/{number}", os.O_CREAT | os.O_WRONLY))
    return "10000 files"

judge(fill)
