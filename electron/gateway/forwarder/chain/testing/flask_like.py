"""A WSGI application as Flask makes them, behind the server of Python's own library.

It builds its links from X-Forwarded-Prefix, Host and X-Forwarded-Proto, sets a cookie for `/`, and redirects to a path
of its own. Prints the port that it listens on.
"""
import hashlib
import json
import socketserver
import sys
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server


def link(environ, path):
    prefix = environ.get("HTTP_X_FORWARDED_PREFIX", "")
    scheme = environ.get("HTTP_X_FORWARDED_PROTO", "http")
    return f"{scheme}://{environ['HTTP_HOST']}{prefix}{path}"


def application(environ, start_response):
    path = environ["PATH_INFO"]
    if path == "/login":
        start_response("302 Found", [("Location", "/welcome?next=1"), ("Set-Cookie", "session=1; Path=/; HttpOnly")])
        return [b""]
    if path == "/upload":
        length = int(environ.get("CONTENT_LENGTH") or 0)
        digest = hashlib.sha256()
        while length > 0:
            chunk = environ["wsgi.input"].read(min(65536, length))
            if not chunk:
                break
            digest.update(chunk)
            length -= len(chunk)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return [digest.hexdigest().encode()]
    if path == "/stream":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return (f"line {number}\n".encode() for number in range(1000))
    body = {
        "method": environ["REQUEST_METHOD"],
        "path": path,
        "query": environ["QUERY_STRING"],
        "link": link(environ, "/page"),
        "uri": environ.get("HTTP_X_REQUEST_URI"),
        "client": environ.get("HTTP_X_FORWARDED_FOR"),
        "authorization": environ.get("HTTP_AUTHORIZATION"),
        "cookie": environ.get("HTTP_COOKIE"),
    }
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(body).encode()]


class Server(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class Quiet(WSGIRequestHandler):
    def log_message(self, *_arguments):
        pass


with make_server("127.0.0.1", 0, application, Server, Quiet) as server:
    print(server.server_port, flush=True)
    sys.stdin.close()
    server.serve_forever()
