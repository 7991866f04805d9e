# aim: let the traceback module print the variables of the host's frames
# mechanism: TracebackException with capture_locals
# language: view
# reason: only the code's own frames are shown, and not their variables
# jail: process
# plain: loot

import traceback

try:
    fails()
except Exception as error:
    shown = traceback.TracebackException(type(error), error, getattr(error, "__traceback__"), capture_locals=True)
    loot("".join(shown.format()))
