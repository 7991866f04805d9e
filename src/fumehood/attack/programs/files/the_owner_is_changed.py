# aim: give a file to root and set its user bit
# mechanism: chown and the set-user-id bit
# language: check
# reason: open: opens files of the host
# jail: seccomp, privileges
# plain: succeeds
# expect: held
def give_away():
    with open("program", "w") as file:
        file.write("x")
    other = 12345
    os.chown("program", other, other)
    return f"a file of user {os.stat('program').st_uid}"

judge(give_away)
