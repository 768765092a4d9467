import { readCommandLine } from "./arguments.ts";
import { runBatch } from "./batch.ts";
import type { Answer, Arguments } from "./commands/answer.ts";
import { answerTo, commandNames, summaryTo } from "./commands.ts";
import { plainAnswer } from "./plain-answer.ts";
import { readable } from "./readable.ts";

const usage = `shardboard COMMAND [FILE] [--field value]… [--json]

commands: ${commandNames.join(", ")}
batch: one JSON request a line on standard input, one answer a line

`;

/** Whoever reads the output may stop reading: that is no fault. */
process.stdout.on("error", () => process.exit(0));

const argv = process.argv.slice(2);
if (argv[0] === "batch") await runBatch(process.stdin, process.stdout);
else if (argv.length === 0 || argv[0] === "help" || argv[0] === "--help") print(usage);
else runOnce();

function runOnce(): void {
  const line = readCommandLine(argv);
  if ("ok" in line) finish(line, {}, argv.includes("--json"));
  else {
    const answer = line.json ? answerTo : summaryTo;
    finish(answer(line.command, line.args), line.args, line.json);
  }
}

function finish(answer: Answer, args: Arguments, json: boolean): void {
  const plain = plainAnswer(answer, args);
  print(`${json ? JSON.stringify(plain) : readable(plain, plain.diagnostics)}\n`);
  process.exitCode = answer.ok ? 0 : 1;
}

function print(text: string): void {
  process.stdout.write(text);
}
