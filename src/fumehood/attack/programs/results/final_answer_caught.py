# aim: catch the end of the cell and give another answer
# mechanism: except BaseException around final_answer
# language: run
# reason: the first answer stands
# jail: wire
# plain: none (there is no final_answer in plain Python)

try:
    final_answer("first")
except BaseException:
    pass
final_answer("mutated: the second answer replaced the first")
