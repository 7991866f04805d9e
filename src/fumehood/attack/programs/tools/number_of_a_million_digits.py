# aim: have a tool compute with a number that takes for ever
# mechanism: an argument of thirty million bits
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held | error ValueError | fault frame | error OverflowError | error ToolError
# hosts: root
add(1 << 30_000_000, 1 << 30_000_000) and None
"held: the host is still there"
