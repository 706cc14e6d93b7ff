#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""stub.py DIRECTORY PORT [CERTIFICATE KEY]: a stub of a store of profiles, for tests. It is neither Pyroscope nor Parca: it
takes requests on their paths, checks the form of each, drops series whose id it knows, and keeps the others.

PORT of 127.0.0.1 may be 0; DIRECTORY/port has the real one once it listens. Each request takes the first word of DIRECTORY/plan, if there
is one, or "ok". Words:
  ok           keep the profiles and answer 200
  STATUS       answer this status, keep nothing; 503+7 also asks to come back after 7 seconds
  silent       keep the profiles, then close without an answer
  early        close before the request has been read
  partial      keep the profiles, answer 200, close in the middle of the answer
  endless      keep the profiles, answer 200 and bytes without end
  head         lines of a head without end, nothing kept
  slow         answer nothing for 5 seconds, nothing kept
  to:URL       redirect there with 307; moved:URL with 302
DIRECTORY/log gets a line for each request: word, status, method, path, number of new series, number of known series.
DIRECTORY/got/ID.pb.gz and ID.json are the profiles and their labels; ids that are there are known. DIRECTORY/head is the head of the last request."""
import base64
import gzip
import json
import os
import socketserver
import ssl
import sys
import threading
import time
import urllib.parse
import http.server

directory = sys.argv[1]
lock = threading.Lock()


def next_word():
    try:
        with open(f"{directory}/plan") as plan:
            words = plan.read().split()
    except FileNotFoundError:
        return "ok"
    if not words:
        return "ok"
    with open(f"{directory}/plan.new", "w") as plan:
        plan.write(" ".join(words[1:]))
    os.rename(f"{directory}/plan.new", f"{directory}/plan")
    return words[0]


def fields(message):
    """Fields of a message of protobuf that has only texts, bytes and messages."""
    at = 0
    while at < len(message):
        key = message[at]
        if key & 7 != 2 or key > 127:
            raise ValueError("wrong field")
        length = shift = 0
        while True:
            at += 1
            length |= (message[at] & 127) << shift
            shift += 7
            if message[at] < 128:
                break
        at += 1
        if at + length > len(message):
            raise ValueError("a field does not end")
        yield key >> 3, message[at:at + length]
        at += length


def of_binary(path, body, key):
    """push.proto: series 1; of these labels 1 (name 1, value 2) and samples 2 (profile 1, id 2)."""
    for one, series in fields(body):
        labels, samples = {}, []
        for number, part in fields(series):
            pair = dict(fields(part))
            if one != 1 or number not in (1, 2) or set(pair) != {1, 2}:
                raise ValueError("wrong message")
            if number == 1:
                labels[pair[1].decode()] = pair[2].decode()
            else:
                samples.append(pair)
        for sample in samples:
            yield sample[2].decode(), labels, gzip.compress(sample[1], mtime=0)


def of_pyroscope(path, body, key):
    for series in json.loads(body)["series"]:
        labels = {pair["name"]: pair["value"] for pair in series["labels"]}
        for sample in series["samples"]:
            yield sample["ID"], labels, base64.b64decode(sample["rawProfile"], validate=True)


def of_parca(path, body, key):
    request = json.loads(body)
    if request["normalized"] is not True:
        raise ValueError("addresses are not normalized")
    for at, series in enumerate(request["series"]):
        labels = {pair["name"]: pair["value"] for pair in series["labels"]["labels"]}
        for sample in series["samples"]:
            yield f"{key}-{at}", labels, base64.b64decode(sample["rawProfile"], validate=True)


def of_ingest(path, body, key):
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query, strict_parsing=True))
    name, _, rest = query.pop("name").partition("{")
    labels = {"service_name": name}
    if rest:
        if not rest.endswith("}"):
            raise ValueError("labels do not end")
        labels.update(pair.split("=") for pair in rest[:-1].split(","))
    labels.update(query)
    if query["format"] != "pprof" or int(query["until"]) <= int(query["from"]):
        raise ValueError("wrong query")
    yield key, labels, body


paths = {"/push.v1.PusherService/Push": of_pyroscope, "/profiles/writeraw": of_parca, "/ingest": of_ingest}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def keep(self, body):
        take = paths[urllib.parse.urlsplit(self.path).path.removeprefix("/prefix")]
        wanted = "application/octet-stream" if take is of_ingest else "application/json"
        if take is of_pyroscope and self.headers["Content-Type"] == "application/proto":
            take, wanted = of_binary, "application/proto"
        if self.headers["Content-Type"] != wanted:
            raise ValueError("wrong type")
        if self.headers["Content-Encoding"] == "gzip" and take is not of_ingest:
            body = gzip.decompress(body)
        elif self.headers["Content-Encoding"]:
            raise ValueError("wrong encoding")
        new = old = 0
        os.makedirs(f"{directory}/got", exist_ok=True)
        for key, labels, packed in take(self.path, body, self.headers["Idempotency-Key"]):
            if os.path.exists(f"{directory}/got/{key}.pb.gz"):
                old += 1
                continue
            new += 1
            with open(f"{directory}/got/{key}.json", "w") as file:
                json.dump(labels, file)
            with open(f"{directory}/got/{key}.new", "wb") as file:
                file.write(packed)
            os.rename(f"{directory}/got/{key}.new", f"{directory}/got/{key}.pb.gz")
        return new, old

    def answer(self, status, text, head=()):
        self.send_response(status)
        for name, value in head:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def flood(self, start, piece):
        self.wfile.write(start)
        while True:
            self.wfile.write(piece)

    def obey(self, word, body):
        """Returns status, new and known series."""
        self.close_connection = word != "ok"
        if word[:3].isdigit():
            status, _, wait = word.partition("+")
            self.answer(int(status), f"\nno: {status} as planned\nmore\n", [("Retry-After", wait)] if wait else [])
            return int(status), 0, 0
        if word.startswith(("to:", "moved:")):
            kind, _, url = word.partition(":")
            self.answer(307 if kind == "to" else 302, "elsewhere", [("Location", url)])
            return 307, 0, 0
        if word in ("head", "slow"):
            return 0, 0, 0
        try:
            new, old = self.keep(body)
        except Exception as error:
            self.answer(400, f"{type(error).__name__}: {error}")
            return 400, 0, 0
        if word == "ok":
            self.answer(200, "{}")
        elif word == "partial":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
        return (0 if word == "silent" else 200), new, old

    def do_POST(self):
        with lock:
            word = next_word()
            with open(f"{directory}/head", "w") as file:
                file.write(f"{self.requestline}\n{self.headers}")
            if word == "early":
                result = 0, 0, 0
                self.close_connection = True
            else:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                result = (200, *self.keep(body)) if word == "endless" else self.obey(word, body)
            with open(f"{directory}/log", "a") as file:
                print(word, result[0], self.command, self.path, result[1], result[2], file=file)
        if word == "slow":
            time.sleep(5)
        if word == "head":
            self.flood(b"HTTP/1.1 200 OK\r\n", b"X-More: " + b"x" * 1000 + b"\r\n")
        if word == "endless":
            self.close_connection = True
            self.flood(b"HTTP/1.1 200 OK\r\n\r\n", b"never the end\n" * 1000)

    def do_GET(self):
        self.answer(405, "only POST")


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", int(sys.argv[2])), Handler)
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[3], sys.argv[4])
    server.socket = context.wrap_socket(server.socket, server_side=True)
with open(f"{directory}/port.new", "w") as file:
    file.write(str(server.server_address[1]))
os.rename(f"{directory}/port.new", f"{directory}/port")
server.serve_forever()
