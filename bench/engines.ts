import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examples } from "../src/app/examples/index.ts";
import { type Compiled, compile } from "../src/compile/index.ts";
import { hasErrors } from "../src/core/diagnostics/index.ts";
import {
  type CodeTarget,
  codeTargets,
  type WrittenCode,
  writeCode,
} from "../src/systems/code/index.ts";

/**
 * Every example as code of JAX and PyTorch, run on as many host devices as it plans for: numbers of
 * every copy, slices, and exactly the claimed collectives with groups and bytes; or, where
 * `mindspore` is named, as cells that MindSpore's own compiler takes to the claimed strategies, slices
 * and collectives, and a replay of what it compiles wrongly. `engines PYTHON FOLDER [mindspore] [example …]`; ends with one line of counts, and
 * with status 1 when one failed.
 */
const [python = "python3", folder = "engines-out", ...named] = process.argv.slice(2);
const compiledOnly: CodeTarget = "mindspore";
const wanted = named.filter((name) => name !== compiledOnly);
const asked = codeTargets.filter(
  ({ target }) => (target === compiledOnly) === named.includes(compiledOnly),
);

/** What a host computes in a few seconds: devices, and elements of the largest tensor. */
const mostDevices = 16;
const mostElements = 2 ** 20;

/**
 * A program with its large numbers divided until a host can run it. In narrow types it is a matter
 * of rounding which expert a token goes to: programs with a gate run in wider ones.
 */
function small(given: string): Compiled | string {
  const program = given.includes("gate(") ? given.replaceAll('"bf16"', '"f32"') : given;
  let reason = "it does not compile";
  for (const divisor of [1, 4, 16, 64]) {
    const text = program.replaceAll(/\b\d{3,}\b/g, (digits) =>
      String(Math.max(8, Math.floor(Number(digits) / divisor))),
    );
    const compiled = compile(text);
    if (hasErrors(compiled.diagnostics)) continue;
    const { graph, devices } = compiled.program;
    if (devices.length > mostDevices) return `${devices.length} devices are more than a host runs`;
    const elements = graph.tensors.map(({ shape }) => shape.reduce((n, size) => n * size, 1));
    if (Math.max(...elements) <= mostElements) return compiled;
    reason = "its tensors are too large for a host";
  }
  return reason;
}

const tally = { passed: 0, failed: 0, "not run": 0 };

function note(what: keyof typeof tally, line: string): void {
  tally[what] += 1;
  console.log(`${what}: ${line}`);
}

function check(
  name: string,
  target: CodeTarget,
  written: Extract<WrittenCode, { ok: true }>,
): void {
  const place = join(folder, target, name);
  mkdirSync(place, { recursive: true });
  for (const file of written.files) writeFileSync(join(place, file.name), file.text);
  const claims = join(place, "claims.json");
  writeFileSync(claims, JSON.stringify(written.claims));
  const args = [join("engines", `check_${target}.py`), join(place, "plan.py"), claims];
  const { status, stdout, stderr } = spawnSync(python, args, { encoding: "utf8" });
  const lines = `${stdout}\n${stderr}`.trim().split("\n");
  const counted = stdout.trim().split("\n").at(-1) ?? "";
  note(status === 0 ? "passed" : "failed", `${name} for ${target}: ${counted}`);
  if (status === 0) return;
  const said = lines.filter((line) => /^FAIL|Error/.test(line));
  for (const line of said.slice(0, 5)) console.log(`  ${line.slice(0, 300)}`);
}

rmSync(folder, { recursive: true, force: true });
for (const { name, program } of examples) {
  if (program === undefined || (wanted.length > 0 && !wanted.includes(name))) continue;
  // A compiler takes any size, for it computes nothing.
  const compiled = named.includes(compiledOnly) ? compile(program) : small(program);
  for (const { target } of asked) {
    const written: WrittenCode =
      typeof compiled === "string"
        ? { ok: false, reason: compiled }
        : writeCode(compiled.program, target);
    if (written.ok) check(name, target, written);
    else note("not run", `${name} for ${target}: ${written.reason}`);
  }
}
if (named.includes(compiledOnly) && wanted.length === 0) {
  const script = join("engines", "replay_mindspore.py");
  const { status, stdout } = spawnSync(python, [script], { encoding: "utf8" });
  const counted = stdout.trim().split("\n").at(-1) ?? "";
  note(status === 0 ? "passed" : "failed", `what is computed wrongly, replayed: ${counted}`);
}
console.log(
  Object.entries(tally)
    .map(([what, count]) => `${count} ${what}`)
    .join(", "),
);
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0;
