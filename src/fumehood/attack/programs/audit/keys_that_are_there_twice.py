# aim: have the log say two things at once
# mechanism: dictionaries whose keys are the same when they are texts
# language: nothing (any program may make such values)
# jail: host
# plain: none (a plain process has no log)
# expect: held
# host: audit
# hosts: root
{1: "a", "1": "b", True: "c", None: "d", "null": "e", b"1": "f", "event": "g", "$": "h", "type": "i"}
# ---
"held: they are given"
