"""Sandboxes: making, looking, ending, and when they end by themselves."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from fumehood.policy import Policy
from fumehood.server import shapes
from fumehood.server.calls import Call
from fumehood.server.refusals import Invalid, NotFound
from fumehood.server.sandboxes import Sandbox


def info(sandbox: Sandbox) -> shapes.SandboxInfo:
    return shapes.SandboxInfo(
        id=sandbox.id,
        template=sandbox.template,
        state="paused" if sandbox.is_paused else "running",
        created=sandbox.created,
        expires=sandbox.expires,
        metadata=sandbox.metadata,
        contexts=[*sandbox.contexts],
        cells=sandbox.cells,
    )


async def create(call: Call) -> shapes.SandboxInfo:
    body: shapes.Create = call.body
    sandboxes = call.server.sandboxes
    policy = None
    if body.limits is not None:
        if body.snapshot is not None:
            raise Invalid(
                "a sandbox that begins as a snapshot has the limits of that; leave out `limits`"
            )
        policy = narrowed(sandboxes.policy_of(call.key, body.template), body.limits)
    made = await sandboxes.create(
        call.key,
        template=body.template,
        timeout_seconds=body.timeout_seconds,
        metadata=body.metadata,
        environment=body.environment,
        policy=policy,
        on_fault=body.on_fault,
        snapshot=body.snapshot,
    )
    call.request.scope["fumehood.sandbox"] = made.id
    return info(made)


def narrowed(policy: Policy, wanted: shapes.Narrower) -> Policy:
    """The policy with lower limits. What would raise one is refused: who asks does not decide."""
    changes = {
        name: value for name, value in msgspec.structs.asdict(wanted).items() if value is not None
    }
    for name, value in changes.items():
        most = getattr(policy.limits, name)
        if most is not None and value > most:
            raise Invalid(f"limits.{name} may be {most:g} at most for this key, not {value:g}")
    return replace(policy, limits=replace(policy.limits, **changes))


async def every(call: Call) -> shapes.SandboxList:
    return shapes.SandboxList(
        sandboxes=[info(sandbox) for sandbox in call.server.sandboxes.list(call.key)]
    )


async def one(call: Call) -> shapes.SandboxInfo:
    return info(call.sandbox)


async def close(call: Call) -> None:
    if not await call.server.sandboxes.close(call.key, call.sandbox.id):
        raise NotFound("there is no such sandbox, or not any more")


async def timeout(call: Call) -> shapes.SandboxInfo:
    call.sandbox.set_timeout(call.body.timeout_seconds)
    return info(call.sandbox)


async def pause(call: Call) -> shapes.SandboxInfo:
    call.sandbox.pause()
    return info(call.sandbox)


async def resume(call: Call) -> shapes.SandboxInfo:
    call.sandbox.resume(call.body.timeout_seconds)
    return info(call.sandbox)


async def fork(call: Call) -> shapes.SandboxList:
    made = await call.server.sandboxes.fork(call.key, call.sandbox.id, call.body.number)
    return shapes.SandboxList(sandboxes=[info(sandbox) for sandbox in made])
