"""Programs as boards in a notebook. This file needs nothing else and can be copied alone.

    show(text)                              a board to look at, in the notebook
    show(text, view="tensor", at="w")       one tensor of it; view="steps", at=3: one step
    link(text)                              a link that opens it
    plan(text)                              what is sent and what it costs, as data, through Node
"""

import base64
import html
import json
import os
import shutil
import subprocess
import zlib
from urllib.parse import quote

#: Where the app is served, and the checkout whose command line is asked.
APP = os.environ.get("SHARDBOARD", "http://localhost:4173/")
CHECKOUT = os.environ.get("SHARDBOARD_CHECKOUT", "")


def link(text, app=None):
    """A link that opens the program; the text is in its fragment, which no server gets."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    plain = json.dumps({"v": 1, "text": text}, ensure_ascii=False, separators=(",", ":"))
    body = base64.urlsafe_b64encode(squeeze.compress(plain.encode()) + squeeze.flush()).decode().rstrip("=")
    if len(body) > 65_000 or len(text.encode()) > 256 << 10:
        raise ValueError(f"a text of {len(text):,} characters is too long for a link: open it as a file")
    count, length = len(body), ""
    while count:
        count, digit = divmod(count, 36)
        length = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + length
    return f"{APP if app is None else app}#p=1.0.{length}.{zlib.crc32(body.encode()):08x}.{body}"


class Frame(str):
    """A page inside the notebook; as a text it is the element, for a page of one's own."""

    def _repr_html_(self):
        return str(self)


def show(text, view=None, at=None, width="100%", height=480, app=None):
    """The program as a board inside the notebook, read-only; `view` is "tensor" or "steps", `at` which."""
    pairs = [("n" if view == "steps" else "t", at), ("p", view)]
    seen = ",".join(f"{key}:{quote(str(value), safe='')}" for key, value in pairs if value is not None)
    place = html.escape(f"{link(text, app)}{f'&s={seen}' if seen else ''}", quote=True)
    left = f'<a href="{place}" target="_blank">The board, in a page of its own</a>'  # A notebook not trusted yet drops the frame and keeps this.
    return Frame(f'<iframe src="{place}&amp;m=embed" width="{width}" height="{height}" style="border:0" title="Shardboard">{left}</iframe>')


def plan(text, command="plan", checkout=None, **fields):
    """The answer of the command line as data; needs Node and a checkout of Shardboard."""
    where, node = checkout or CHECKOUT, shutil.which("node")
    if not where or node is None:
        raise RuntimeError("plan needs Node and a checkout: set SHARDBOARD_CHECKOUT to its folder")
    given = [part for key, value in fields.items() for part in (f"--{key}", value if isinstance(value, str) else json.dumps(value))]
    done = subprocess.run([node, os.path.join(where, "launch.mjs"), "cli", command, "-", "--json", *given], input=text, capture_output=True, text=True)
    return json.loads(done.stdout or json.dumps({"ok": False, "diagnostics": [{"code": "cli/no-answer", "message": done.stderr[-400:]}]}))
