# Go on after the answer in a finally block.
# mechanism: finally with a return, a loop and a new answer
# stopped by: run
# reason: the first answer stands
# control: none (there is no final_answer in plain Python)

def answer():
    while True:
        try:
            final_answer("first")
        finally:
            break
    return "mutated: the cell went on and its value replaced the answer"


answer()
