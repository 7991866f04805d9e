# aim: go on after the answer in a finally block
# mechanism: finally with a return, a loop and a new answer
# language: run
# reason: the first answer stands
# jail: wire
# plain: none (there is no final_answer in plain Python)

def answer():
    while True:
        try:
            final_answer("first")
        finally:
            break
    return "mutated: the cell went on and its value replaced the answer"


answer()
