# aim: read file names and source of the host
# mechanism: futures hold the stack that made them in debug mode
# language: check
# reason: _source_traceback shows the frames of the host
# jail: process
# plain: loot

import asyncio


async def main():
    return asyncio.get_running_loop().create_future()._source_traceback


for frame in asyncio.run(main(), debug=True):
    if "asyncio" in frame.filename:
        loot("mutated: the host's files are known")
        break
