# aim: make directories so deep that whoever walks or removes them chokes
# mechanism: mkdir and chdir, five thousand times
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: lab
# plain: succeeds
# expect: held | fault memory
# host: list
# needs: mount namespace
def dig():
    depth = 0
    for _ in range(5000):
        os.mkdir("d")
        os.chdir("d")
        depth += 1
    return f"{depth} deep"

try:
    verdict = judge(dig)
finally:
    os.chdir("/home/user" if os.path.isdir("/home/user") else "/")
verdict
