# aim: have code run whenever the collector does, in the runner's own time
# mechanism: gc.callbacks
# language: check
# reason: the policy does not authorize gc
# jail: wire
# plain: none (in a plain process there is no next cell)
# expect: held
# host: again, state
# hosts: root
import gc
gc.set_threshold(1)
gc.callbacks.append(lambda phase, information: [object() for _ in range(10)] and 1 / 0)
"held: a callback is there"
