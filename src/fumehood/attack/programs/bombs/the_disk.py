# aim: fill more than the private file system holds
# mechanism: files of a megabyte in /home/user until there is no room
# language: check
# reason: open: opens files of the host
# jail: lab
# plain: succeeds
# expect: held | fault memory
# needs: mount namespace
def fill():
    total = 0
    for number in range(32):  # 128 MB at most
        with open(f"piece{number}", "wb") as file:
            total += file.write(b"x" * (4 << 20))
    return f"{total >> 20} MB"

judge(fill)
