# aim: run text as code by what measures code
# mechanism: timeit.timeit with globals
# language: check
# reason: the policy does not authorize timeit
# jail: process
# plain: loot
import timeit
timeit.timeit("take(__import__('os'))", globals={"take": loot}, number=1)
