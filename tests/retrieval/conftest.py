"""A small web, and a server that speaks TLS, with a certificate of its own."""

import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tests.retrieval.web import web  # noqa: F401 (a fixture for all)
from tests.services.ports import free_port


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for pages.example, with its key, signed by itself."""
    file = tmp_path_factory.mktemp("tls") / "pages.pem"
    key = file.with_suffix(".key")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
               "-nodes", "-days", "2", "-subj", "/CN=pages.example",
               "-addext", "subjectAltName=DNS:pages.example",
               "-keyout", str(key), "-out", str(file)]  # fmt: skip
    try:
        subprocess.run(command, check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no openssl here to make a certificate with")
    return file


@pytest.fixture
def secure_port(certificate: Path) -> Iterator[int]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<p>secure</p>")

        def log_request(self, code: object = "-", size: object = "-") -> None:
            """Tests are silent."""

    port = free_port()
    server = HTTPServer(("127.0.0.1", port), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, certificate.with_suffix(".key"))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    yield port
    server.shutdown()
    server.server_close()
    thread.join()
