# aim: watch and disturb the code that runs after the cell, the runner's own too
# mechanism: sys.settrace and threading.settrace with a function that raises
# language: check
# reason: co_filename: part of a code object, from which other code can be built
# jail: wire
# plain: none (in a plain process there is no next cell)
# expect: held | error RuntimeError | fault crash
# host: again, state
# hosts: root
import sys

def tracer(frame, event, argument):
    if "fumehood" in frame.f_code.co_filename:
        raise RuntimeError("traced")
    return tracer

sys.settrace(tracer)
sys.setprofile(lambda *_: None)
"held: a tracer is there"
