# aim: keep the host waiting for the process that starts its commands
# mechanism: SIGKILL and SIGSTOP to the parent of a command
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: clock, wire
# plain: none (what is attacked is the host's end)
# expect: held
# host: command bash kill, command echo answers, command bash stop, command echo answers, command bash trap, command echo answers
# needs: mount namespace
def leave():
    for name, signal in (("kill", "KILL"), ("stop", "STOP"), ("trap", "SEGV")):
        with open(name, "w") as file:
            file.write(f"kill -{signal} $PPID; kill -{signal} $(cut -d' ' -f4 /proc/$PPID/stat); echo done; sleep 20")

judge(leave)
