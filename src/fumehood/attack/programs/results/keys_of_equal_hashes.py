# aim: have the host build a dictionary that takes it hours
# mechanism: a value whose keys all hash alike
# source: CVE-2012-1150
# language: nothing (any program may count)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held | fault timeout | fault memory | error ValueError | error WorkerProtocolError
# limits: cell_seconds=8
# hosts: root
{number * ((1 << 61) - 1): 0 for number in range(1, 12_000)}
# ---
"held: the host is still there"
