# aim: write a file with the function that tells about the installation
# mechanism: show_versions writes JSON to the path it is given, and starts a program to know the processor
# language: view
# reason: show_versions writes files and starts programs
# jail: mount namespace, landlock
# plain: loot
# imports: pandas

import pandas

pandas.show_versions(as_json=scratch_path)
