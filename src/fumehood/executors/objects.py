"""Values on their way into a sandbox and out of it: objects that stay there while the host holds a
name for them, and objects of the host that only pickle can carry into it."""

from __future__ import annotations

import weakref
from typing import Any

from fumehood.errors import WorkerProtocolError
from fumehood.tools.failures import describe_failure
from fumehood.wire import messages
from fumehood.wire.values import Decoder, Encoder, RemoteObject


class Held:
    """Which objects of a runner the host holds, so that the runner can let go of the others. Also
    the token that marks them as its own."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self._dropped: set[int] = set()

    def make(self, number: int, kind: str, text: str) -> RemoteObject:
        made = RemoteObject(number, kind, text, self)
        self._counts[number] = self._counts.get(number, 0) + 1
        self._dropped.discard(number)
        weakref.finalize(made, self._drop, number).atexit = False
        return made

    def released(self) -> list[int]:
        """What was dropped since the last time."""
        if not self._dropped:
            return []
        dropped, self._dropped = self._dropped, set()
        return sorted(dropped)

    def _drop(self, number: int) -> None:
        self._counts[number] -= 1
        if not self._counts[number]:
            del self._counts[number]
            self._dropped.add(number)


def host_pickle(value: Any) -> bytes:
    """An object of the host as bytes; it is unpickled in the jail. cloudpickle carries functions
    and classes of the program itself."""
    import cloudpickle  # type: ignore[import-untyped, unused-ignore]  # late: few values need it

    data: bytes = cloudpickle.dumps(value)
    return data


class Values:
    """Values in and out of one sandbox. What comes out is believed to be nothing but what the codec
    makes of it."""

    def __init__(self, held: Held) -> None:
        self.encode = Encoder(pickle=host_pickle, owner=held).encode
        decoder = Decoder(held.make)
        self.decode = decoder.decode
        self._decode_call = decoder.decode_call

    def arguments(self, message: Any, buffers: list[Any]) -> Any:
        return self._decode_call(message.arguments, buffers)

    def bundle(self, message: Any, buffers: list[Any]) -> dict[str, str | bytes]:
        bundle = self.decode(message.bundle, buffers)
        if type(bundle) is not dict or not all(
            type(k) is str and type(v) in (str, bytes) for k, v in bundle.items()
        ):
            raise WorkerProtocolError("the sandbox sent a display that is not one")
        return bundle

    def reply(
        self, number: int, result: Any, error: BaseException | None
    ) -> tuple[messages.Message, list[Any]]:
        """The answer to a tool call."""
        if error is None:
            try:
                node, buffers = self.encode(result)
                return messages.ToolReturned(call=number, value=node), list(buffers)
            except Exception as cannot:
                error = TypeError(f"what the tool returned cannot be sent: {cannot}")
        kind, args, text = describe_failure(error)
        node, buffers = self.encode(args)
        return messages.ToolRaised(call=number, error=kind, arguments=node, message=text), list(
            buffers
        )
