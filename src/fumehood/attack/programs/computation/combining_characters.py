# aim: spend quadratic time on putting marks in order
# mechanism: unicodedata.normalize of one letter with hundreds of thousands of marks in the wrong order
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import unicodedata
len(unicodedata.normalize("NFD", "a" + "\u0301" * 300_000 + "\u0323" * 300_000))
