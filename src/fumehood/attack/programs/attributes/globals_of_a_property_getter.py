# aim: take the getter out of a library property and read its namespace
# mechanism: fget is an ordinary name that leads to a library function
# language: check
# reason: a module's namespace holds the real builtins and every module it imported
# jail: process
# plain: loot

import fractions

loot(fractions.Fraction.numerator.fget.__globals__)
