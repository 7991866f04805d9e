# aim: ask for a million digits of one number
# mechanism: decimal exp with a context of great precision
# language: nothing (no exception arrives in the middle of one call into C)
# jail: clock
# plain: hangs
# expect: fault timeout | fault memory | error MemoryError
# limits: cell_seconds=0.5
# hosts: root
import decimal
decimal.Context(prec=3_000_000).exp(decimal.Decimal("1.23456789"))
