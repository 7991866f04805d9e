# aim: have the host fail at writing a number down
# mechanism: a value with more digits than Python writes
# source: CVE-2020-10735
# language: nothing (any program may count)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# host: audit
# hosts: root
{"number": 10 ** 100_000, "numbers": [-(10 ** 5000)]}
# ---
"held: the host is still there"
