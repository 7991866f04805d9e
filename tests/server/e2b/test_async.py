"""The same, by the asynchronous half of E2B's SDK."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from e2b import FileNotFoundException, FilesystemEventType, SandboxQuery
from e2b_code_interpreter import AsyncSandbox

from .service import Service


async def _until(holds: Any) -> None:
    async with asyncio.timeout(90):
        while not holds():
            await asyncio.sleep(0.02)


async def _from_beginning_to_end(service: Service) -> None:
    sandbox = await AsyncSandbox.create(metadata={"kind": "async"}, **service.options())
    try:
        assert await sandbox.is_running()
        await sandbox.run_code("x = 41")
        heard: list[str] = []

        async def hear(message: Any) -> None:
            heard.append(message.line)

        execution = await sandbox.run_code("print('hello')\nx + 1", on_stdout=hear)
        assert (execution.text, "".join(heard)) == ("42", "hello\n")
        shown = await sandbox.run_code(
            "display({'image/png': b'\\x89PNG', 'text/html': '<b>b</b>'}, raw=True)"
        )
        assert (
            base64.b64decode(shown.results[0].png) == b"\x89PNG"
            and shown.results[0].html == "<b>b</b>"
        )
        assert (await sandbox.run_code("1/0")).error.name == "ZeroDivisionError"
        context = await sandbox.create_code_context()
        assert (await sandbox.run_code("x", context=context)).error.name == "NameError"
        await sandbox.restart_code_context(context)
        assert context.id in {found.id for found in await sandbox.list_code_contexts()}
        await sandbox.remove_code_context(context)
        listed = await AsyncSandbox.list(
            SandboxQuery(metadata={"kind": "async"}), **service.options()
        ).next_items()
        assert sandbox.sandbox_id in {info.sandbox_id for info in listed}
        same = await AsyncSandbox.connect(sandbox.sandbox_id, **service.options())
        assert (await same.run_code("x")).text == "41"
        assert await sandbox.pause() and not await sandbox.is_running()
        await sandbox.connect()
        assert (await sandbox.run_code("x")).text == "41"
    finally:
        assert await sandbox.kill()
    assert not await sandbox.is_running()


def test_a_sandbox_lives_from_create_to_kill(service: Service) -> None:
    asyncio.run(_from_beginning_to_end(service))


async def _files(service: Service) -> None:
    async with await AsyncSandbox.create(**service.options()) as sandbox:
        files = sandbox.files

        async def pieces() -> Any:
            for _ in range(3):
                yield b"x" * 700_000

        await files.write("large", pieces())
        assert len(await files.read("large", format="bytes")) == 2_100_000
        assert (
            sum([len(piece) async for piece in await files.read("large", format="stream")])
            == 2_100_000
        )
        assert await files.make_dir("d") and not await files.make_dir("d")
        seen: list[Any] = []
        handle = await files.watch_dir("d", on_event=seen.append, recursive=True)
        await files.write_files([{"path": "d/a", "data": "1"}, {"path": "d/b", "data": b"2"}])
        await _until(
            lambda: (
                {event.name for event in seen if event.type is FilesystemEventType.WRITE}
                == {"a", "b"}
            )
        )
        await handle.stop()
        assert [entry.name for entry in await files.list("d")] == ["a", "b"]
        await files.rename("d/a", "d/c")
        await files.remove("d/b")
        assert (
            await files.exists("d/c"),
            await files.exists("d/b"),
            (await files.get_info("d/c")).size,
        ) == (True, False, 1)
        with pytest.raises(FileNotFoundException):
            await files.read("d/b")


def test_files_are_written_read_watched_and_removed(service: Service) -> None:
    asyncio.run(_files(service))


async def _many(service: Service) -> None:
    options = service.options("second")

    async def client(number: int) -> str | None:
        async with await AsyncSandbox.create(request_timeout=120, **options) as sandbox:
            await sandbox.run_code(f"own = {number}", timeout=120)
            texts = {(await sandbox.run_code("own", timeout=120)).text for _ in range(3)}
            return texts.pop() if len(texts) == 1 else None

    assert await asyncio.gather(*(client(number) for number in range(50))) == [
        str(number) for number in range(50)
    ]


@pytest.mark.long
def test_fifty_clients_at_once_in_one_loop(service: Service) -> None:
    asyncio.run(_many(service))


async def _cancelled(service: Service) -> None:
    async with await AsyncSandbox.create(**service.options()) as sandbox:
        begun = asyncio.Event()
        running = asyncio.create_task(
            sandbox.run_code(
                "print('on', flush=True)\nwhile True: pass",
                on_stdout=lambda _: begun.set(),
                timeout=60,
            )
        )
        await asyncio.wait_for(begun.wait(), 60)
        running.cancel()
        with pytest.raises((asyncio.CancelledError, Exception)):
            await running
        assert (await sandbox.run_code("'free again'", timeout=60)).text == "free again"


def test_a_cell_whose_task_is_cancelled_is_stopped(service: Service) -> None:
    asyncio.run(_cancelled(service))
