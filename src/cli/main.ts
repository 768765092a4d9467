import { totalmem } from "node:os";
import { setFlagsFromString } from "node:v8";
import { processGauge, startThread } from "./answer-thread.ts";
import { Answerer, workLimits } from "./answerer.ts";
import { runBatch } from "./batch.ts";
import type { WorkLimits } from "./cut-answer.ts";
import type { Printed } from "./printed.ts";
import { takeSeconds } from "./seconds.ts";

/**
 * Most requests end before V8's optimizations pay off, which by default take half of the time. With
 * a larger budget only long-running code is optimized.
 */
setFlagsFromString("--interrupt-budget=1000000");

/** The reader of the output may stop reading; that is no fault. */
process.stdout.on("error", () => process.exit(0));

/** The worker's code is a separate file, so that the core is loaded only in the worker. */
const code = new URL("./answering.js", import.meta.url);

const { argv, seconds } = takeSeconds(process.argv.slice(2));
const limits = seconds === undefined ? workLimits : limitsFor(seconds);
const answerer = new Answerer(() => startThread(code), processGauge, limits);
if (argv[0] === "batch") await runBatch(process.stdin, process.stdout, answerer);
else {
  const { text, ok } = await printedOnce(argv);
  process.stdout.write(text);
  process.exitCode = ok ? 0 : 1;
}
answerer.end();

/**
 * Limits of a request with its own time limit: its run may use half of the memory, to allow a whole
 * model.
 */
function limitsFor(cpuSeconds: number): WorkLimits {
  const { bytes, run } = workLimits;
  const runBytes = Math.max(run?.bytes ?? bytes, totalmem() / 2);
  return { cpuSeconds, bytes, run: { cpuSeconds, bytes: runBytes } };
}

/**
 * Whether the work of a command is bounded by the length of its command line, so that it needs no
 * thread that can be ended.
 */
function isBounded([command = "help"]: readonly string[]): boolean {
  return ["help", "--help", "parse", "operators", "gallery"].includes(command);
}

async function printedOnce(words: readonly string[]): Promise<Printed> {
  if (!isBounded(words)) return answerer.answer({ kind: "command", argv: words });
  const { printedFor } = await import("./work.ts");
  return printedFor({ kind: "command", argv: words });
}
