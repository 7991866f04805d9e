# Open a file through the raw file class.
# mechanism: io.FileIO
# stopped by: view
# reason: classes that open files are left out

import io

loot(io.FileIO(secret_path).read())
