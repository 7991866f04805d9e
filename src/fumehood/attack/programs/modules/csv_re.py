# aim: take the module re out of csv
# mechanism: an attribute of csv that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import csv

loot(csv.re)
