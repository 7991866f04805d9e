# aim: lift the limit on the digits of numbers
# mechanism: sys.set_int_max_str_digits
# language: view
# reason: the interpreter's limits are not the program's
# jail: process
# plain: loot

import sys

sys.set_int_max_str_digits(0)
# --- second executor
import sys

if sys.get_int_max_str_digits() == 0:
    loot("mutated: the digits limit")
