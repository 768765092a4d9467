import { processGauge, startThread } from "../src/cli/answer-thread.ts";
import { Answerer, workLimits } from "../src/cli/answerer.ts";
import { limitsOf } from "../src/cli/cut-answer.ts";
import { createFuzzer, kindOf } from "../src/cli/fuzz.testing.ts";
import { SoakRecord } from "../src/cli/soak-record.testing.ts";

/**
 * Sends nearly valid requests one after the other, as a batch answers them, and records the
 * resources of each: `soak [count] [first number]`. A number always gives the same request, so
 * `soak 1 NUMBER` repeats one. Exit status 1 when one hit a bug or was late, or when too many were
 * stopped at the deadline.
 */
const [count = 1_000_000, first = 1_000_000] = process.argv.slice(2).map(Number);
const isSingle = count === 1;
const fuzzed = createFuzzer(20_000);
const thread = new URL("./answering.js", import.meta.url);
const answerer = new Answerer(() => startThread(thread), processGauge);
const record = new SoakRecord(processGauge.residentBytes);

for (let number = first; number < first + count; number++) {
  const request = fuzzed(number);
  const line = JSON.stringify({ id: number, ...request });
  if (isSingle) console.log(line);
  const before = processGauge.cpuSeconds();
  const { text } = await answerer.answer({ kind: "line", line });
  const cpuSeconds = processGauge.cpuSeconds() - before;
  const limitSeconds = limitsOf({ kind: "line", line }, workLimits).cpuSeconds;
  const note = record.note({ number, kind: kindOf(request), text, cpuSeconds, limitSeconds });
  if (note !== undefined) console.log(`request ${number} (${kindOf(request)}): ${note}`);
  if (isSingle) console.log(text);
  if (record.answered % 10_000 === 0) console.log(record.summary());
}
answerer.end();
console.log(record.summary());
process.exitCode = record.isSound ? 0 : 1;
