# aim: open the interpreter's own program file for writing through /proc/self/exe, as the runc escape of 2019 did
# mechanism: /proc/self/exe opened for writing
# source: CVE-2019-5736
# language: check
# reason: the policy does not authorize errno
# jail: mount namespace, landlock, privileges
# plain: succeeds
# expect: held
def overwrite():
    try:
        os.close(os.open("/proc/self/exe", os.O_WRONLY))
    except OSError as error:
        if error.errno != errno.ETXTBSY:
            raise
        return "only that the program is running keeps it from being written"
    return "the program file was opened for writing"

judge(overwrite)
