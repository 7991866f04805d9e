# aim: fill more than the private file system holds
# layer: lab
# expect: held | fault memory
# needs: mount namespace
# plain: succeeds
def fill():
    total = 0
    for number in range(32):  # 128 MB at most
        with open(f"piece{number}", "wb") as file:
            total += file.write(b"x" * (4 << 20))
    return f"{total >> 20} MB"

judge(fill)
