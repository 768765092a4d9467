import { answerLine } from "./answer-line.ts";
import { readCommandLine } from "./arguments.ts";
import { answerTo, commandNames, summaryTo } from "./commands.ts";
import { type Printed, printedAnswer, type Work } from "./printed.ts";

const usage = `shardboard COMMAND [FILE] [--field value]… [--json] [--seconds N]

commands: ${commandNames.join(", ")}
batch: one JSON request a line on standard input, one answer a line
run --weights FILE: parameters take the numbers of a .safetensors file, by their names
--seconds: the computing time that each request may take; if unsaid 1.5, 20 for optimize, 60 for run

`;

/** Does a piece of work to its end, however long that takes. */
export function printedFor(work: Work): Printed {
  if (work.kind === "line") return { text: `${answerLine(work.line, answerTo)}\n`, ok: true };
  const { argv } = work;
  const [first = "help"] = argv;
  if (first === "help" || first === "--help") return { text: usage, ok: true };
  const line = readCommandLine(argv);
  if ("ok" in line) return printedAnswer(line, {}, argv.includes("--json"));
  const answer = line.json ? answerTo : summaryTo;
  return printedAnswer(answer(line.command, line.args), line.args, line.json);
}
