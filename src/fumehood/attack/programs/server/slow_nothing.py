# aim: keep a connection for ever
# mechanism: a connection on which nothing is said
# server: head
# plain: naive

def attack():
    with line() as held:
        held.send(b"")
        return not held.hangs_up() and "the server waits for the rest for ever"


judge(attack)
