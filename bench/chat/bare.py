"""The limit: the SDK alone, called so many times at once, and nothing kept.

`python -m bench.chat.bare BASE_URL QUESTIONS IN_FLIGHT`
"""

import asyncio
import json
import sys
import time

from bench.chat.material import prompts


async def main(base_url: str, questions: int, in_flight: int) -> dict[str, object]:
    """Every prompt once; wall clock and processor time of this process."""
    from openai import AsyncOpenAI

    client = AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0)
    waiting = iter(prompts(questions))
    answered = 0

    async def one_after_another() -> None:
        nonlocal answered
        for prompt in waiting:
            reply = await client.chat.completions.create(
                model="fixed-delay", messages=[{"role": "user", "content": prompt}], temperature=0
            )
            answered += reply.choices[0].message.content is not None

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one_after_another() for _ in range(in_flight)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    await client.close()
    return {"seconds": wall, "cpu": cpu, "answered": answered}


if __name__ == "__main__":
    print(json.dumps(asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))))
