"""A chat model that always says the same: a baseline that every judge should beat."""

from collections.abc import Sequence

from judges.backends.contract import Chat, ChatBackend, ChatRequest, ChatSettings, Reply


class Constant(ChatBackend):
    """What it says is the name of the model, such as `{"value": 50}`."""

    name = "constant"
    is_free = True
    opens_model = False

    @classmethod
    def open(cls, settings: ChatSettings) -> Chat:
        if not settings.model:
            raise ValueError("model: say what the backend replies")
        return _ConstantChat(settings.model)


class _ConstantChat:
    in_flight = 8

    def __init__(self, text: str) -> None:
        self.text = text

    async def reply(self, request: ChatRequest) -> Reply:
        messages = [dict(message) for message in request.messages]
        return Reply(text=self.text, request={"messages": messages})

    async def replies(self, requests: Sequence[ChatRequest]) -> list[Reply]:
        return [await self.reply(request) for request in requests]

    async def close(self) -> None:
        """No connection is open."""
