import { lineOf } from "./answer-line.ts";
import { badRequest } from "./commands/answer.ts";
import { type Line, linesOf } from "./lines.ts";
import type { Printed, Work } from "./printed.ts";

/** Answers pieces of work, in their order. */
export interface Answering {
  answer(work: Work): Promise<Printed>;
}

/** Most lines in progress: enough to keep a thread busy while answers are written. */
const mostUnderWay = 64;

/** Answers one request per line, in order and as lines arrive, until the input ends. */
export async function runBatch(
  input: AsyncIterable<string | Buffer>,
  output: NodeJS.WritableStream,
  answering: Answering,
): Promise<void> {
  let written = Promise.resolve();
  const underWay: Promise<void>[] = [];
  for await (const line of linesOf(input)) {
    const before = written;
    const printed = printedFor(line, answering);
    written = before.then(async () => write(output, (await printed).text));
    underWay.push(written);
    if (underWay.length >= mostUnderWay) await underWay.shift();
  }
  await written;
}

function printedFor(line: Line, answering: Answering): Promise<Printed> {
  if (line.kind === "line") return answering.answer({ kind: "line", line: line.text });
  const fault = badRequest(`the line has more than ${line.most} characters`);
  return Promise.resolve({ text: `${lineOf({}, fault, {})}\n`, ok: false });
}

async function write(output: NodeJS.WritableStream, text: string): Promise<void> {
  const hasRoom = output.write(text);
  if (!hasRoom) await new Promise<void>((resolve) => output.once("drain", resolve));
}
