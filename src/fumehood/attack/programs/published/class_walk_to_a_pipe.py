# aim: have a class that starts programs, by the list of all classes
# mechanism: from a text to its class, to object, to all subclasses, to the one that is called Popen
# source: CVE-2025-9959 (smolagents)
# language: check
# reason: the attributes that the walk needs are refused by name
# refuses: __subclasses__
# jail: process
# plain: loot
found = [kind for kind in "".__class__.__mro__[-1].__subclasses__() if kind.__name__ == "Popen"]
loot(found[0] if found else "".__class__.__mro__[-1].__subclasses__)
