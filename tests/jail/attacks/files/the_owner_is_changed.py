# aim: give a file to root and set its user bit
# layer: seccomp, privileges
# expect: held
# plain: succeeds
def give_away():
    with open("program", "w") as file:
        file.write("x")
    other = 12345
    os.chown("program", other, other)
    return f"a file of user {os.stat('program').st_uid}"

judge(give_away)
