import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { answerTo } from "./commands.ts";
import { createFuzzer } from "./fuzz.testing.ts";
import { type FuzzedRequest, hostileCases } from "./hostile-requests.testing.ts";
import { linesOf } from "./lines.ts";
import { plainAnswer } from "./plain-answer.ts";
import { offenceIn, SoakRecord } from "./soak-record.testing.ts";

const isSoak = process.env.SOAK !== undefined;

function codesOf({ command, args }: FuzzedRequest): readonly string[] {
  const fields = typeof args === "object" && args !== null && !Array.isArray(args) ? args : {};
  const answer = plainAnswer(answerTo(command, { ...fields }), { ...fields });
  JSON.stringify(answer);
  return answer.diagnostics.map(({ code }) => code);
}

test.each(hostileCases)("%s: the answer comes, and is no fault of ours", (_, request) => {
  expect(codesOf(request)).not.toContain("cli/internal-error");
});

test("requests that are nearly sound are answered, and nothing is thrown", () => {
  const fuzzed = createFuzzer(2_000);
  const failing = Array.from({ length: isSoak ? 20_000 : 250 }, (_, number) => number).filter(
    (number) => codesOf(fuzzed(number)).includes("cli/internal-error"),
  );
  expect(failing).toEqual([]);
});

/** Most requests held in memory at once. */
const underWay = 1_000;

/**
 * Sends requests to a batch; returns the numbers of those that were stopped or hit a bug, with the
 * code.
 */
async function offenders(from: number, count: number): Promise<readonly string[]> {
  const fuzzed = createFuzzer(20_000);
  const batch = spawn(process.execPath, ["launch.mjs", "cli", "batch"], { stdio: "pipe" });
  const ended = once(batch, "exit");
  const found: string[] = [];
  let answered = 0;
  const feed = async () => {
    for (let number = from; number < from + count; number++) {
      while (number - from - answered > underWay) await new Promise((next) => setTimeout(next, 5));
      batch.stdin.write(`${JSON.stringify({ id: number, ...fuzzed(number) })}\n`);
    }
    batch.stdin.end();
  };
  const fed = feed();
  for await (const line of linesOf(batch.stdout, 2 ** 28)) {
    answered += 1;
    if (line.kind !== "line") found.push("an answer without end");
    else found.push(...faultsIn(line.text));
  }
  await fed;
  await ended;
  if (answered !== count) found.push(`${count} requests have ${answered} answers`);
  return found;
}

function faultsIn(line: string): readonly string[] {
  const { id }: { id: number } = JSON.parse(line);
  const offence = offenceIn(line);
  return offence === undefined ? [] : [`request ${id}: ${offence.text}`];
}

test("a batch of requests that are nearly sound is answered, each within its time and memory", async () => {
  expect(await offenders(1_000_000, isSoak ? 10_000 : 200)).toEqual([]);
});

const sound = '{"diagnostics":[]}';
const stopped =
  '{"diagnostics":[{"code":"limits/too-long","message":"\\"plan\\" takes more than 1.5 s of computing time and was stopped"}]}';
const limited =
  '{"diagnostics":[{"code":"limits/too-large","message":"the value has too many parts"}]}';

const failed = '{"diagnostics":[{"code":"cli/internal-error","message":"thrown"}]}';

test("a long run tells what was stopped from what a stated limit ended, and names the slowest", () => {
  const record = new SoakRecord(() => 0);
  const notes = [sound, stopped, limited].map((text, number) =>
    record.note({ number, kind: "texts", text, cpuSeconds: number === 1 ? 1.5 : 0.1 }),
  );
  expect(notes.map((note) => note !== undefined)).toEqual([false, true, false]);
  expect(record.isSound).toBe(true);
  expect(record.summary()).toContain("0 faults; 1 stopped at the deadline: 1;");
  expect(record.summary()).toContain("most computing time 1.50 s (request 1)");
});

const quick = { kind: "texts", cpuSeconds: 0.1 };

test("a long run is not sound with a fault, a late answer, or more stops than one in a thousand", () => {
  const withFault = new SoakRecord(() => 0);
  withFault.note({ ...quick, number: 1, text: failed });
  const late = new SoakRecord(() => 0);
  late.note({ ...quick, number: 1, text: sound, cpuSeconds: 2.1 });
  const run = new SoakRecord(() => 0);
  run.note({ ...quick, number: 1, text: sound, cpuSeconds: 4, limitSeconds: 60 });
  expect(run.isSound).toBe(true);
  const stops = new SoakRecord(() => 0);
  for (let number = 0; number < 2_000; number += 1)
    stops.note({ ...quick, number, text: number < 3 ? stopped : sound });
  expect([withFault, late, stops].map(({ isSound }) => isSound)).toEqual([false, false, false]);
});
