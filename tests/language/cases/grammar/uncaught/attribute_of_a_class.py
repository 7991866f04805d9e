# Reading an attribute that an imported class does not have.
from collections import OrderedDict as od

print(od(a=1))
od.nothing_here
