"""FinalAnswerTool: how code says what the answer is."""

from __future__ import annotations

from typing import Any

from fumehood.tools.tool import Tool


class FinalAnswerTool(Tool):
    """Takes the answer and gives it back. A subclass may shape it; the executor ends the cell with
    what `forward` gives."""

    name = "final_answer"
    description = "Gives the final answer to the task, and ends it."

    def forward(self, answer: Any) -> Any:
        """
        Args:
            answer: The answer: any value.
        """
        return answer
