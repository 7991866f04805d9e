# aim: make a socket of any family and any kind
# mechanism: socket with every family and type
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
# programs: families ?1? (AF_UNIX reaches no more than the sandbox)
FAMILIES = {"unix": 1, "inet": 2, "inet6": 10, "netlink": 16, "packet": 17, "rds": 21, "tipc": 30, "bluetooth": 31, "alg": 38, "vsock": 40, "qipcrtr": 42, "smc": 43, "xdp": 44}

def every_family():
    # Made and not used. The upper half of the number is junk that the kernel ignores.
    made = []
    for number in range(46):
        for kind in (1, 2, 3, 5, 0x80801):
            for junk in (0, 1 << 32):
                try:
                    os.close(syscall("socket", junk | number, kind, 0))
                    made.append(number)
                except OSError as error:
                    refusal = error
    if not made:
        raise refusal
    return f"families {sorted(set(made))}"

judge(every_family)
