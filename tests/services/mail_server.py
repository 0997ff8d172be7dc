"""A mail server on this machine, that takes mail, refuses it, or never answers."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass
class MailServer:
    """A server that is up. says: its answer to each recipient; with 250 it keeps the mail."""

    port: int = 0
    says: str = "250 OK"
    taken: list[tuple[list[str], str]] = field(default_factory=list)


@contextmanager
def mail_server() -> Iterator[MailServer]:
    """Start one."""
    told = MailServer()

    class Session(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            recipients: list[str] = []
            self.say("220 tests")
            while line := self.rfile.readline().decode().strip():
                match line[:4].upper():
                    case "RCPT":
                        self.say(f"{told.says} {line}")
                        recipients.append(line.partition("<")[2].partition(">")[0])
                    case "DATA":
                        self.say("354 go on")
                        told.taken.append((recipients, self.mail()))
                        self.say("250 OK")
                    case "QUIT":
                        self.say("221 bye")
                        break
                    case _:
                        self.say("250 OK")

        def say(self, line: str) -> None:
            self.wfile.write(f"{line}\r\n".encode())

        def mail(self) -> str:
            lines = []
            while (line := self.rfile.readline()) != b".\r\n":
                lines.append(line)
            return b"".join(lines).decode()

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        server.daemon_threads = True
        told.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield told
        finally:
            server.shutdown()
