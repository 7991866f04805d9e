# aim: print a line of a file in a warning about it
# mechanism: warnings.warn_explicit looks lines up by file name
# language: view
# reason: source lines are never looked up by a name the program chose
# jail: mount namespace, landlock
# plain: loot

import warnings

warnings.simplefilter('always')
warnings.warn_explicit('text', UserWarning, secret_path, 1)
