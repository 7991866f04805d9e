# aim: leave a mark on the sandbox's own versions of library functions
# mechanism: functions take any attribute, and a guard may be shared by all sessions
# language: run
# reason: sessions cannot leave messages to one another on shared functions
# jail: process
# plain: none (there is nothing of fumehood's in plain Python)

import functools
import operator
import sys
import time
import types

for function in (operator.attrgetter, operator.methodcaller, functools.wraps, time.sleep, sys.exit, types.coroutine, getattr, vars, exit):
    try:
        function.escaped = True
    except AttributeError:
        pass
# --- second executor
import functools
import operator
import sys
import time
import types

for function in (operator.attrgetter, operator.methodcaller, functools.wraps, time.sleep, sys.exit, types.coroutine, getattr, vars, exit):
    if hasattr(function, "escaped"):
        loot(f"mutated: {function.__name__}")
