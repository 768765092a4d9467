"""Programs as boards in a notebook. This file needs nothing else and can be copied alone.

    show(text, view="step", at="3.1")   a board to look at, in the notebook
    link(text)                          a link that opens it
    plan(text)                          what is sent and what it costs, as data, through Node
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
    count, length = len(body), ""
    while count:
        count, digit = divmod(count, 36)
        length = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + length
    return f"{APP if app is None else app}#p=1.0.{length}.{zlib.crc32(body.encode()):08x}.{body}"


class Frame:
    """A page inside the notebook."""

    def __init__(self, address, width, height):
        self.address, self.width, self.height = address, width, height

    def _repr_html_(self):
        place = html.escape(self.address, quote=True)
        return f'<iframe src="{place}" width="{self.width}" height="{self.height}" style="border:0" title="Shardboard"></iframe>'


def show(text, view=None, at=None, width="100%", height=480, app=None):
    """The program as a board inside the notebook, read-only; `view` and `at` as in links."""
    more = "".join(f"&{key}={quote(str(value))}" for key, value in (("v", view), ("at", at)) if value is not None)
    return Frame(f"{link(text, app)}&m=embed{more}", width, height)


def plan(text, command="plan", checkout=None, **fields):
    """The answer of the command line as data; needs Node and a checkout of Shardboard."""
    where, node = checkout or CHECKOUT, shutil.which("node")
    if not where or node is None:
        raise RuntimeError("plan needs Node and a checkout: set SHARDBOARD_CHECKOUT to its folder")
    given = [part for key, value in fields.items() for part in (f"--{key}", value if isinstance(value, str) else json.dumps(value))]
    asked = [node, os.path.join(where, "launch.mjs"), "cli", command, "-", "--json", *given]
    return json.loads(subprocess.run(asked, input=text, capture_output=True, text=True, cwd=where, check=False).stdout)
