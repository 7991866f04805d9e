# aim: call a tool from two processes at once, so that answers go to the wrong one
# mechanism: fork, and both call
# language: view
# reason: the module that code is given does not hold it
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held | fault crash | fault killed | error ToolError | fault timeout
# limits: cell_seconds=2
# hosts: root
# needs: mount namespace
child = os.fork()
for number in range(50):
    try:
        if add(number, number) != 2 * number:
            break
    except BaseException:
        break
if child == 0:
    os._exit(0)
"held: the host is still there"
