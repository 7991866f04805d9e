# Methods, class methods, lambdas and decorators work with coroutines.
import functools
from contextlib import asynccontextmanager


def retry(times):
    def decorate(f):
        @functools.wraps(f)
        async def wrapper(*args):
            for attempt in range(times):
                try:
                    return await f(*args, attempt)
                except OSError as error:
                    print("retry after", error)
        return wrapper
    return decorate


class Client:
    @retry(3)
    async def get(self, path, attempt):
        if attempt < 2:
            raise OSError(f"try {attempt}")
        return f"content of {path}"

    @asynccontextmanager
    async def session(self):
        print("begin")
        yield self
        print("end")


async with Client().session() as client:
    print(await client.get("/x"), client.get.__name__)
