# Dependencies are sorted and a cycle is reported.
from graphlib import CycleError, TopologicalSorter

graph = {"app": {"lib", "log"}, "lib": {"core"}, "log": {"core"}, "core": set()}
order = list(TopologicalSorter(graph).static_order())
print(order[0], order[-1], sorted(order[1:3]))
sorter = TopologicalSorter()
sorter.add("b", "a")
sorter.add("c", "a")
sorter.prepare()
rounds = []
while sorter.is_active():
    ready = sorted(sorter.get_ready())
    rounds.append(ready)
    sorter.done(*ready)
print(rounds)
try:
    list(TopologicalSorter({1: [2], 2: [1]}).static_order())
except CycleError as error:
    print(error.args[0], sorted(set(error.args[1])))
rounds[-1]
