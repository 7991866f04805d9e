# aim: pass values by names that mean something to the host
# mechanism: keywords such as self, __class__ and names that are no identifiers
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# hosts: root
for name in ("self", "__class__", "__globals__", "tool", "call", "name", "a b", "", "\n", "left\x00", "*"):
    try:
        add(1, 2, **{name: 3})
    except Exception as error:
        continue
"held: none of them was taken"
