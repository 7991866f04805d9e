# Ask for the current frame.
# mechanism: sys._getframe
# stopped by: view
# reason: sys is given as constants and pure functions

import sys

loot(sys._getframe())
