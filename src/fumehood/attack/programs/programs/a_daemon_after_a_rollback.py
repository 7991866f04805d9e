# aim: go on after the host has gone back to a snapshot
# mechanism: a program in a session of its own that writes later
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: init, clock
# plain: none (what is attacked is the host's end)
# expect: held
# host: snapshot, rest, read loot
# needs: mount namespace
def leave():
    # What it writes before the host goes back is undone with everything else.
    script = "sleep 3; for home in /labs/*/home; do echo 'ESCAPED: a program outlived a rollback' > $home/loot; done"
    run_program(["/bin/sh", "-c", 'setsid sh -c "$1" </dev/null >/dev/null 2>&1 &', "sh", script])

judge(leave)
