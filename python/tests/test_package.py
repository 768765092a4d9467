"""Links, the helper for notebooks and the command, without a framework."""

import base64
import contextlib
import importlib.util
import io
import json
import os
import shutil
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import shardboard
from shardboard.__main__ import main, parser

PACKAGE = Path(shardboard.__file__).parent
CHECKOUT = PACKAGE.parent.parent
TEXT = 'x = Tensor((8, 4))\nw = Parameter((4, 2))  # "ä"\ny = x @ w\n'


def opened(link):
    """The text of a link, checked as the app checks it."""
    version, dictionary, length, crc, body = link.partition("#p=")[2].split("&")[0].split(".")
    assert (version, dictionary) == ("1", "0")
    assert int(length, 36) == len(body)
    assert int(crc, 16) == zlib.crc32(body.encode())
    packed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    return json.loads(zlib.decompress(packed, -15))


class Links(unittest.TestCase):
    def test_a_link_opens_as_the_text(self):
        for text in (TEXT, "", "x" * 100_000):
            self.assertEqual(opened(shardboard.link(text)), {"v": 1, "text": text})

    def test_the_address_in_front_is_chosen(self):
        self.assertTrue(shardboard.link(TEXT, "https://board.example/").startswith("https://board.example/#p=1.0."))

    @unittest.skipUnless(shutil.which("node") and (CHECKOUT / "node_modules").exists(), "no Node with an installed checkout")
    def test_the_board_opens_a_link_and_plans_a_text(self):
        opened_ = shardboard.plan("", command="open", checkout=str(CHECKOUT), link=shardboard.link(TEXT, ""))
        self.assertEqual(opened_["program"], TEXT)
        made = shardboard.plan(TEXT, checkout=str(CHECKOUT))
        self.assertTrue(made["ok"])
        self.assertEqual([each["name"] for each in made["tensors"]], ["x", "w", "y"])


class Notebook(unittest.TestCase):
    def test_a_board_is_a_frame_whose_address_is_escaped(self):
        made = shardboard.show(TEXT, view="tensor", at='w"><script>')._repr_html_()
        self.assertTrue(made.startswith('<iframe src="'))
        self.assertNotIn("<script>", made)
        self.assertTrue(made.split('"')[1].endswith("&amp;s=t:w%22%3E%3Cscript%3E,p:tensor&amp;m=embed"))
        self.assertEqual(opened(made.replace("&amp;", "&").split('"')[1])["text"], TEXT)
        self.assertIn("&amp;s=n:2,p:steps&amp;m=embed", shardboard.show(TEXT, view="steps", at=3))

    def test_a_text_that_no_link_holds_is_refused(self):
        for text in ("x" * (1 << 20), base64.b64encode(os.urandom(70_000)).decode()):
            with self.assertRaisesRegex(ValueError, "too long for a link"):
                shardboard.link(text)

    def test_the_file_is_short_and_works_when_it_is_copied_alone(self):
        source = PACKAGE / "notebook.py"
        self.assertLessEqual(len(source.read_text().split("\n")), 61)
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(shutil.copy(source, Path(folder) / "alone.py"))
            spec = importlib.util.spec_from_file_location("alone", copy)
            alone = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(alone)
            self.assertEqual(opened(alone.link(TEXT))["text"], TEXT)

    def test_planning_without_a_checkout_says_what_is_needed(self):
        with self.assertRaisesRegex(RuntimeError, "SHARDBOARD_CHECKOUT"):
            shardboard.plan(TEXT)


class Command(unittest.TestCase):
    def said(self, *argv):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main(list(argv))
        return status, out.getvalue(), err.getvalue()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = os.path.join(folder.name, "plan.py")
        Path(self.file).write_text(TEXT, encoding="utf-8")
        self.model, self.broken = (os.path.join(folder.name, name) for name in ("model.py", "broken.py"))
        Path(self.model).write_text("class Odd:\n    pass\n", encoding="utf-8")
        Path(self.broken).write_text("import not_there\n", encoding="utf-8")

    def test_a_text_is_printed_or_linked(self):
        self.assertEqual(self.said(self.file), (0, TEXT + "\n", ""))
        status, out, _ = self.said(self.file, "--as", "link")
        self.assertEqual((status, opened(out.strip())["text"]), (0, TEXT))

    def test_what_is_missing_is_said_in_a_sentence(self):
        for argv, words in (([f"{self.file}:GPT"], "--call is missing"), (["nowhere.py"], "nowhere.py"), (["nowhere.py:GPT", "--call", "1"], "no file nowhere.py"),
                            ([f"{self.model}:Odd", "--call", "(1"], "--call is not right: "), ([f"{self.model}:Odd", "--call", "nothing"], "--call is not right: name 'nothing'"),
                            ([f"{self.model}:Odd", "--make", "1", "--call", ""], "--make is not right: "), ([f"{self.model}:Gone", "--call", ""], "has no Gone"),
                            ([f"{self.broken}:Odd", "--call", ""], "No module named 'not_there'; install it")):
            status, out, err = self.said(*argv)
            self.assertEqual((status, out), (1, ""))
            self.assertIn(words, err)
            self.assertEqual(err.count("\n"), 1)

    def test_the_arguments_have_their_usual_values(self):
        given = parser().parse_args(["config.json"])
        self.assertEqual((given.form, given.batch, given.length, given.mesh), ("text", 2, 32, "dp=8, tp=8"))


if __name__ == "__main__":
    unittest.main()
