import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCommandLine } from "./arguments.ts";

test.each<[string, string[], object]>([
  [
    "an annotation stands without its flag",
    ["parse", "a -> a", "--json"],
    { command: "parse", args: { annotation: "a -> a" }, json: true },
  ],
  [
    "structured values are JSON, layouts are texts",
    ["reshard", "--mesh", '[["x",2]]', "--from", "x,_", "--to=_,x", "--exchange", "--bound", "9"],
    { args: { mesh: [["x", 2]], from: "x,_", to: "_,x", exchange: true, bound: 9 } },
  ],
  [
    "a name that looks like a number stays a text",
    ["slices", "--tensor", "7"],
    { args: { tensor: "7" } },
  ],
  ["a link stands without its flag", ["open", "#p=1"], { args: { link: "#p=1" } }],
  [
    "an example stands without its flag",
    ["gallery", "two-matmuls"],
    { args: { name: "two-matmuls" } },
  ],
])("%s", (_, argv, expected) => {
  expect(readCommandLine(argv)).toMatchObject(expected);
});

test("a file is read as the program", () => {
  const path = join(mkdtempSync(join(tmpdir(), "shardboard-")), "program.py");
  writeFileSync(path, "mesh = Mesh(dp=2)\n");
  expect(readCommandLine(["plan", path])).toMatchObject({
    args: { program: "mesh = Mesh(dp=2)\n" },
  });
});

test("a file that is not there is a fault that names it", () => {
  expect(readCommandLine(["plan", "missing.py"])).toMatchObject({
    ok: false,
    diagnostics: [{ message: 'cannot read the file "missing.py" (ENOENT)' }],
  });
});
