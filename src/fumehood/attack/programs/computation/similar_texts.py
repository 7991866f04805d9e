# aim: have the library compare two texts in cubic time
# mechanism: difflib over two texts of one repeated letter
# language: nothing (any program may compare texts)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import difflib
difflib.SequenceMatcher(None, "ab" * 20_000, "ba" * 20_000, autojunk=False).ratio()
