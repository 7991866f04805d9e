# aim: run text as code by what counts lines
# mechanism: trace.Trace.runctx
# language: check
# reason: the policy does not authorize trace
# jail: process
# plain: loot
import trace
trace.Trace(count=0, trace=0).runctx("take(__import__('os'))", {"take": loot}, {})
