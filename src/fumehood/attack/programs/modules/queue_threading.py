# aim: take the module threading out of queue
# mechanism: an attribute of queue that happens to be a module
# source: smolagents, tests of its local executor
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import queue

loot(queue.threading)
