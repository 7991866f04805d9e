# aim: take a function out of a nested module whose parent is left out
# mechanism: from numpy.lib.npyio import DataSource
# language: check
# reason: what is below a module that is left out is left out too
# jail: process
# plain: loot
# imports: numpy

from numpy.lib.npyio import DataSource

loot(DataSource)
