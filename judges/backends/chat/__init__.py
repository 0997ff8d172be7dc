"""Chat models behind any endpoint that speaks OpenAI's protocol: hosted, vLLM, Ollama, …

`live` and `batches` load OpenAI's package, which takes a second; nothing else here does.
"""
