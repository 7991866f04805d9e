# aim: answer again and again, each time with more
# mechanism: final_answer in a loop that catches what stops it
# language: nothing (any program may answer)
# jail: wire
# plain: none (a plain process has no such function)
# expect: held | fault timeout
# limits: cell_seconds=2
# hosts: root
for number in range(2000):
    try:
        final_answer("held: " + "x" * 10_000)
    except BaseException:
        pass
"held: the host is still there"
