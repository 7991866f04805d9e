# Take the getter out of a library property and read its namespace.
# mechanism: fget is an ordinary name that leads to a library function
# stopped by: check
# reason: a module's namespace holds the real builtins and every module it imported

import fractions

loot(fractions.Fraction.numerator.fget.__globals__)
