import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";

/** Launches the command line as users do, with its threads. */
function launched(args: readonly string[], input = "") {
  const options = { input, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  const { status, stdout } = spawnSync(process.execPath, ["launch.mjs", "cli", ...args], options);
  return { status, answers: stdout.trim().split("\n") };
}

const request = (id: number, command: string, args: object) =>
  JSON.stringify({ id, command, args });

/** A program that takes more than a tenth of a second on any machine. */
const long = "x = Tensor((8, 8))\nfor i in range(12000): x = gelu(x)\n";

test("one slow line ends in a diagnostic, and the lines behind it are answered in order", () => {
  const lines = [
    request(1, "parse", { annotation: "a -> a" }),
    request(2, "plan", { program: long }),
    request(3, "plan", { program: long }),
    request(4, "parse", { annotation: "a ->" }),
  ];
  const { status, answers } = launched(["batch", "--seconds", "0.1"], lines.join("\n"));
  expect(status).toBe(0);
  const told = answers.map((line) => JSON.parse(line));
  expect(told.map(({ id, ok }) => [id, ok])).toEqual([
    [1, true],
    [2, false],
    [3, false],
    [4, true],
  ]);
  expect(told[1].diagnostics).toMatchObject([
    { code: "limits/too-long", message: expect.stringContaining('"plan" takes more than 0.1 s') },
  ]);
});

test("a text that makes values without end is answered, and so is the line behind it", () => {
  const program = "x = []\nwhile True: x = [x, 'y' * 1000]";
  const lines = [
    request(1, "evaluate", { program }),
    request(2, "parse", { annotation: "a -> a" }),
  ];
  const { answers } = launched(["batch"], lines.join("\n"));
  expect(answers.map((line) => JSON.parse(line).ok)).toEqual([false, true]);
});

test("a single command that takes too long says so, and its exit status is 1", () => {
  const { status, answers } = launched(["plan", "-", "--json", "--seconds=0.1"], long);
  expect(status).toBe(1);
  expect(JSON.parse(answers.join("")).diagnostics).toMatchObject([{ code: "limits/too-long" }]);
});

test("where nnScaler cannot be fetched its engine is skipped with the reason, and nothing fails", () => {
  const folder = mkdtempSync(join(tmpdir(), "without-git-"));
  for (const tool of ["git", "python3"])
    writeFileSync(join(folder, tool), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const { PYTHON: _, PYTHONPATH: __, ...others } = process.env;
  const env = { ...others, PATH: [folder, process.env.PATH].join(delimiter) };
  const args = ["launch.mjs", "engines", "nnscaler"];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: "utf8", env });
  rmSync(folder, { recursive: true });
  expect(stdout.trim()).toBe(
    "skipped: what nnScaler 0.8 needs does not install here, so it generates nothing",
  );
  expect(status).toBe(0);
});
