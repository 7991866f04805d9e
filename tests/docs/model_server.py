"""A server that speaks as OpenAI's does, over loopback, and answers the tasks that pages give to
their agents: with what a model has written once, turn by turn."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# By words of the task: what is written for each turn.
TURNS: dict[str, list[str]] = {
    "first 1,000 primes": [
        (
            "primes, n = [], 2\nwhile len(primes) < 1000:\n    if all(n % p for p in primes if p *"
            " p <= n):\n        primes.append(n)\n    n += 1\nfinal_answer(sum(p % 10 == 7 for p in"
            " primes))"
        ),
    ],
    "exchange rate": ["rate = exchange_rate('USD')\nfinal_answer(rate)"],
    "mean of the readings": ["import numpy as np\nfinal_answer(float(np.mean(readings)))"],
    "hours between": [
        "from datetim import date\ndate(2026, 3, 1)",
        "from datetime import date\nfinal_answer((date(2026, 3, 1) - date(2026, 2, 1)).days * 24)",
    ],
    "17th Fibonacci": ["a, b = 0, 1\nfor _ in range(17):\n    a, b = b, a + b\nfinal_answer(a)"],
}


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        messages = asked["messages"]
        told = json.dumps(messages[1:], ensure_ascii=False).lower()
        turns = next(
            (turns for words, turns in TURNS.items() if words.lower() in told),
            ["final_answer(6 * 7)"],
        )
        turn = turns[
            min(sum(message["role"] == "assistant" for message in messages), len(turns) - 1)
        ]
        # Both ways in which agents ask for code.
        code = (
            f"<code>\n{turn}\n</code>"
            if "<code>" in json.dumps(messages[0])
            else f"```python\n{turn}\n```"
        )
        text = f"Thought: this is how.\n{code}"
        usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
        made: dict[str, Any] = {"id": "1", "created": 0, "model": asked["model"], "usage": usage}
        if asked.get("stream"):
            said = [
                {
                    **made,
                    "object": "chat.completion.chunk",
                    "choices": [
                        {
                            "index": 0,
                            "delta": {"role": "assistant", "content": text},
                            "finish_reason": None,
                        }
                    ],
                },
                {
                    **made,
                    "object": "chat.completion.chunk",
                    "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
                },
            ]
            body = "".join(f"data: {json.dumps(part)}\n\n" for part in said) + "data: [DONE]\n\n"
            kind = "text/event-stream"
        else:
            choice = {
                "index": 0,
                "message": {"role": "assistant", "content": text},
                "finish_reason": "stop",
            }
            body, kind = (
                json.dumps({**made, "object": "chat.completion", "choices": [choice]}),
                "application/json",
            )
        data = body.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serving() -> Iterator[str]:
    """Its address, with /v1."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
