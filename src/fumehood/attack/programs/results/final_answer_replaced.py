# aim: give the function that ends the cell another answer to keep
# mechanism: attributes under which it may keep the answer, set before it is called
# language: run
# reason: the answer is kept where code cannot write
# jail: wire
# plain: none (there is no final_answer in plain Python)

for name in ("answer", "value", "result", "_answer", "_value", "__call__", "__wrapped__", "__name__"):
    try:
        setattr(final_answer, name, "mutated: the answer")
    except Exception:
        pass
final_answer("first")
