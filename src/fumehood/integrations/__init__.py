"""fumehood as a part of other libraries. Each file is for one library and imports it; without that
library, importing the file raises `MissingExtra`."""
