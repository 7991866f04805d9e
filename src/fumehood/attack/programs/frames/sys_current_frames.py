# aim: ask for the frames of all threads
# mechanism: sys._current_frames
# language: view
# reason: sys is given as constants and pure functions
# jail: process
# plain: loot

import sys

loot(sys._current_frames())
