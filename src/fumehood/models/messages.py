"""What is said to a model and what it says: plain data, the same for every model."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """How many tokens a call took, as the model's server counted them."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def total_tokens(self) -> int:
        """Both ways together."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: TokenUsage) -> TokenUsage:
        return TokenUsage(
            self.input_tokens + other.input_tokens, self.output_tokens + other.output_tokens
        )


@dataclass(frozen=True, slots=True)
class Image:
    """A picture in a message, in a format that models take: png, jpeg, gif or webp."""

    data: bytes
    mime: str = "image/png"

    @property
    def url(self) -> str:
        """The picture as a data URL, which is how it is sent."""
        return f"data:{self.mime};base64,{base64.b64encode(self.data).decode()}"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a conversation. What only an answer has, `token_usage` and `finish_reason`, is
    None in questions."""

    role: Role
    content: str
    images: tuple[Image, ...] = ()
    token_usage: TokenUsage | None = None
    finish_reason: str | None = None
    """Why the model stopped, as its server says: "stop", "length", …"""

    def as_dict(self) -> dict[str, Any]:
        """The message as OpenAI-compatible servers and plain functions take it."""
        if not self.images:
            return {"role": self.role, "content": self.content}
        pictures = [{"type": "image_url", "image_url": {"url": image.url}} for image in self.images]
        return {"role": self.role, "content": [{"type": "text", "text": self.content}, *pictures]}


def conversation(messages: Iterable[ChatMessage]) -> list[ChatMessage]:
    """Messages, seen to be some. Raises TypeError that says what one is: other libraries take
    dictionaries, or a text."""
    example = "[ChatMessage('user', 'Hello')]"
    if isinstance(messages, str | bytes | ChatMessage) or not isinstance(messages, Iterable):
        raise TypeError(
            f"a model is asked with a list of messages, such as {example}, not with"
            f" {type(messages).__name__}"
        )
    asked = list(messages)
    for place, message in enumerate(asked):
        if not isinstance(message, ChatMessage):
            raise TypeError(
                f"messages[{place}] must be a ChatMessage, as in {example}, not"
                f" {type(message).__name__}"
            )
    return asked
