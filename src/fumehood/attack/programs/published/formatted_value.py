# aim: have a format specification close the field and open another
# mechanism: a nested specification with braces, which an evaluator that calls str.format reads again
# source: CVE-2025-24359 (asteval)
# language: run
# reason: f-strings are CPython's own, which read a specification once
# jail: process
# plain: none (CPython's own f-strings never did this)
text = "a"
inner = "}{0.__class__.__mro__"
try:
    loot(f"{text:{inner}}")
except ValueError as error:
    loot(str(error))
