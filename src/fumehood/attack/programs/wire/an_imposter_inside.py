# aim: change the runner's own machinery, so that it tells the host things that are not so
# mechanism: the runner's objects found and changed
# language: check
# reason: the policy does not authorize fumehood.wire, fumehood.worker
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | error TypeError | fault crash | fault killed
from fumehood.wire import messages
from fumehood.worker import runner

true_finished = runner._finished

def false_finished(number, execution):
    message = true_finished(number, execution)
    return messages.Finished(id=number, value=message.value, error=["A" * 100, None, 7, "line"], fault="victory", imports=[], wall=float(10**300), cpu=-1.0, peak_memory=-(10**18))

runner._finished = false_finished
"held: nobody minded"
