# aim: change the functions that the runner's own code calls
# mechanism: builtins.len, isinstance and type replaced for the whole process
# language: check
# reason: the policy does not authorize builtins
# jail: wire, init
# plain: none (in a plain process there is nobody else's code)
# expect: held | error TypeError | error RuntimeError | fault crash | fault killed | fault timeout
# host: again, state
# limits: cell_seconds=2
# hosts: root
import builtins
builtins.len = lambda thing: -1
builtins.isinstance = lambda thing, kind: True
builtins.sorted = builtins.list = builtins.min = lambda *a, **k: ["forged"]
"held: they lie"
