# aim: name a secret file as the file of compiled code and let the traceback quote it
# mechanism: compile takes the file name that a traceback looks lines up in
# language: run
# reason: source lines are shown from the cell's own text, never looked up by a name the program chose
# jail: mount namespace, landlock
# plain: loot

exec(compile("1 / 0", secret_path, "exec"))
