# aim: watch every line that the runner executes, and disturb it
# mechanism: sys.monitoring with a callback that raises
# language: view
# reason: the module that code is given does not hold it
# jail: wire
# plain: none (in a plain process there is no next cell)
# expect: held | error RuntimeError
# python: 3.12+
# host: again, state
# hosts: root
import sys

def callback(*arguments):
    raise RuntimeError("monitored")

sys.monitoring.use_tool_id(3, "mine")
sys.monitoring.register_callback(3, sys.monitoring.events.PY_RETURN, callback)
done = "held: a tool is there"
sys.monitoring.set_events(3, sys.monitoring.events.PY_RETURN)
done
