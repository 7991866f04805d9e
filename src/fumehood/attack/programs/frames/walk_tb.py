# aim: let the traceback module walk the frames
# mechanism: traceback.walk_tb yields frames
# language: view
# reason: functions that hand out frames are left out of the module
# jail: process
# plain: loot

import traceback


class Manager:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        loot(next(traceback.walk_tb(trace)))
        return True


with Manager():
    1 / 0
