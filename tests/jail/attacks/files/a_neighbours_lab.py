# aim: find the files of another sandbox
# layer: mount namespace
# expect: held
# needs: mount namespace
# plain: none (there is no other sandbox)
def search():
    for number in [""] + [f"/proc/{entry}/root" for entry in os.listdir("/proc") if entry.isdigit()]:
        for directory in ("/lab", "/", "/mnt", "/tmp"):
            try:
                if neighbour_file in os.listdir(number + directory):
                    return read_bytes(f"{number}{directory}/{neighbour_file}").decode()
            except OSError:
                continue

judge(search)
