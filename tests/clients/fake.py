"""The fake Telegram as the scripts of this folder use it: where it is, and what people do there."""

import json
import os
import urllib.request

URL = os.environ["FAKE_TELEGRAM_URL"]
TOKEN = "100:test-token"
BOT = 100
FORUM = -1001000000001
OWNER = 4242


def act(name, **fields):
    """Something that people do, such as a press: not a call of the Bot API."""
    request = urllib.request.Request(f"{URL}/_fake/{name}", data=json.dumps(fields).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.load(reply)


def same(found, expected):
    """Ends the script when what came back is not what it should be."""
    if found != expected:
        raise SystemExit(f"expected {expected!r}, found {found!r}")
