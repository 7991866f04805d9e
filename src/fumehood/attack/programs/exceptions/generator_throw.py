# aim: throw into a generator of the library and read the frames it passes
# mechanism: generator.throw and the traceback it collects
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import heapq

running = heapq.merge([1, 2], [3])
next(running)
try:
    running.throw(ValueError)
except ValueError as error:
    trace = getattr(error, "__trace" + "back__")
    while trace is not None:
        loot(getattr(trace, "tb_fr" + "ame"))
        trace = trace.tb_next
