# aim: look for objects of the host in what final_answer raises
# mechanism: every attribute of the exception that ends the cell
# language: run
# reason: what ends the cell carries nothing of the host
# jail: wire
# plain: none (there is no final_answer in plain Python)

try:
    final_answer(1)
except BaseException as end:
    for name in dir(end):
        try:
            loot(getattr(end, name))
        except Exception:
            pass
    loot(type(end))
    loot(end.args)
