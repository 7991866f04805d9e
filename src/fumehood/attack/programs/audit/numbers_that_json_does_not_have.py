# aim: have the log hold what a reader of JSON stumbles over
# mechanism: nan, infinity, minus zero and numbers beyond every type
# language: nothing (any program may count)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
[float("nan"), float("inf"), -0.0, 1e400, 10 ** 400, 2 ** 63, -(2 ** 64), complex("nanj")]
# ---
"held: they are given"
