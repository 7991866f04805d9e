# aim: hand a tool an array whose items have methods of their own
# mechanism: a numpy array of objects
# language: run
# reason: the host calls no method of an item
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# imports: numpy
# limits: memory_bytes=536870912
# hosts: root
import numpy

class Item:
    def __eq__(self, other):
        raise SystemExit
    def __reduce__(self):
        return (print, ("called",))

for thing in (numpy.array([Item()], dtype=object), numpy.array([1, 2]), numpy.float64(1.5), numpy.str_("x")):
    for tool in (count, greet):
        try:
            tool(thing)
        except Exception as error:
            continue
"held: the host saw no class of ours"
