# aim: run a function in another process, which has its own rules
# mechanism: concurrent.futures.ProcessPoolExecutor
# language: check
# reason: the policy does not authorize concurrent.futures
# jail: process
# plain: loot
import concurrent.futures
loot(concurrent.futures.ProcessPoolExecutor)
loot(concurrent.futures.process.mp.context.os)
