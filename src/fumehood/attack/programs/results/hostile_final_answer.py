# aim: give an answer that ends the host when it is looked at
# mechanism: a final answer with hostile methods
# language: run
# reason: an answer is not asked for anything outside the cell
# jail: wire
# plain: none (there is no final_answer in plain Python)

class Answer:
    def __repr__(self):
        raise SystemExit("while the answer was shown")

    __str__ = __eq__ = __bool__ = __hash__ = __repr__


final_answer(Answer())
