# aim: raise a syntax error that points into a secret file
# mechanism: the interpreter's own display of a syntax error reads the file it names
# language: run
# reason: source lines are shown from the cell's own text, never looked up by a name the program chose
# jail: mount namespace, landlock
# plain: none (only the C display of an interpreter that ends reads the file)

raise SyntaxError("wrong", (secret_path, 1, 1, None))
