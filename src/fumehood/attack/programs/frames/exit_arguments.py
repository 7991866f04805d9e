# aim: read the frame from the traceback that __exit__ is given
# mechanism: tb_frame of an argument
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        loot(traceback.tb_frame)
        return True


with Manager():
    1 / 0
