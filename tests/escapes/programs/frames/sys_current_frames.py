# Ask for the frames of all threads.
# mechanism: sys._current_frames
# stopped by: view
# reason: sys is given as constants and pure functions

import sys

loot(sys._current_frames())
