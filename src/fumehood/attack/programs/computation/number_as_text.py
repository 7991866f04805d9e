# aim: spend quadratic time on writing a number, past the limit that Python has against it
# mechanism: sys.set_int_max_str_digits(0), then str of a number with millions of digits
# source: CVE-2020-10735
# language: view
# reason: the module that code is given does not hold it
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import sys
sys.set_int_max_str_digits(0)
len(str(3 ** 6_000_000))
