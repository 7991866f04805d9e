# aim: make directories so deep that whoever walks or removes them chokes
# layer: lab
# expect: held | fault memory
# needs: mount namespace
# plain: succeeds
# host: list
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
    os.chdir("/lab" if os.path.isdir("/lab") else "/")
verdict
