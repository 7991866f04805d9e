# aim: survive the runner and take over the one that takes its place while it is still being jailed
# mechanism: a child that looks for the next runner in /proc and opens its memory
# language: check
# reason: open: opens files of the host
# jail: init, landlock, privileges
# plain: none (nobody replaces a plain process)
# expect: held
# host: read loot
# needs: mount namespace
if os.fork() == 0:
    try:
        ends = time.monotonic() + 4
        known = {entry for entry in os.listdir("/proc") if entry.isdigit()}
        while time.monotonic() < ends:
            for number in range(2, 40):
                if str(number) in known:
                    continue
                try:
                    descriptor = os.open(f"/proc/{number}/mem", os.O_RDONLY)
                except OSError:
                    continue
                with open("/home/user/loot", "w") as loot:
                    loot.write(f"ESCAPED: the memory of process {number} was open")
                time.sleep(10)
    finally:
        os._exit(0)
os.kill(os.getpid(), 9)
# ---
import time

time.sleep(0.3)
"held: the new runner goes on"
