"""Contexts: further processes in a sandbox, with variables of their own and the same files."""

from __future__ import annotations

from fumehood.server import shapes
from fumehood.server.calls import Call
from fumehood.server.sandboxes import Context


def _info(context: Context) -> shapes.ContextInfo:
    return shapes.ContextInfo(id=context.id, created=context.created, cells=context.cells)


async def create(call: Call) -> shapes.ContextInfo:
    return _info(await call.sandbox.add_context(call.body.environment))


async def every(call: Call) -> shapes.ContextList:
    return shapes.ContextList(
        contexts=[_info(context) for context in call.sandbox.contexts.values()]
    )


async def close(call: Call) -> None:
    await call.sandbox.close_context(call.named("context_id"))
