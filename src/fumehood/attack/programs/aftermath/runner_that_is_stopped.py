# aim: keep the host waiting for variables, and for the end of the sandbox
# mechanism: a child stops the runner after the cell
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: clock, init
# plain: none (a plain process answers no questions)
# expect: held
# host: state, close
# limits: answer_seconds=2
# needs: mount namespace
me = os.getpid()
if os.fork() == 0:
    time.sleep(0.3)
    os.kill(me, 19)
    os._exit(0)
"held: the runner will be stopped"
