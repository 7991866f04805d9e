# aim: make more files than there is room to remember
# layer: lab
# expect: held | fault memory
# needs: mount namespace
# plain: succeeds
def fill():
    os.makedirs("many", exist_ok=True)
    for number in range(10_000):
        os.close(os.open(f"many/{number}", os.O_CREAT | os.O_WRONLY))
    return "10000 files"

judge(fill)
