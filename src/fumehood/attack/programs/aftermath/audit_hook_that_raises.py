# aim: stop the runner with a hook that can never be taken away
# mechanism: sys.addaudithook with a function that raises at everything
# language: view
# reason: the module that code is given does not hold it
# jail: wire, init
# plain: none (in a plain process it stops nobody but itself)
# expect: held | error RuntimeError | fault crash | fault killed | fault timeout
# limits: cell_seconds=2
# hosts: root
import sys

def hook(event, arguments):
    if event not in ("sys.addaudithook",):
        raise RuntimeError(event)

sys.addaudithook(hook)
"held: a hook is there"
