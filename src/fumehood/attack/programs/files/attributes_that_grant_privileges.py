# aim: give a file capabilities or a security label
# mechanism: setxattr of security.capability
# language: check
# reason: open: opens files of the host
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def label():
    with open("program", "w") as file:
        file.write("x")
    # cap_net_bind_service, effective and permitted.
    os.setxattr("program", "security.capability", struct.pack("<IIIII", 0x02000001, 1 << 10, 0, 0, 0))
    return "a file with capabilities"

judge(label)
