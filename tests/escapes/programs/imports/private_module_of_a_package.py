# Import a private module of an authorized package.
# mechanism: import zoneinfo._tzpath
# stopped by: check
# reason: private modules hold what the public ones leave out

import zoneinfo._tzpath as found

loot(found)
