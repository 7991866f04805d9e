# aim: have the library for tests import by a dotted name
# mechanism: unittest.mock.patch
# language: check
# reason: the policy does not authorize unittest.mock
# jail: process
# plain: loot
import unittest.mock
with unittest.mock.patch("os.getcwd", create=True):
    loot(unittest.mock.patch("os.system").getter())
