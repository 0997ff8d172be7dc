"""Chat models behind any endpoint that speaks OpenAI's protocol: hosted, vLLM, Ollama, …

`live` makes one call at a time, `provider` sends files of requests to a Batch API; these two
import the openai SDK. The other modules do not, so that a web process need not load it.
"""
