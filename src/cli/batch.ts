import { createInterface } from "node:readline";
import { type Arguments, badRequest } from "./commands/answer.ts";
import { markFloats } from "./commands/mark-floats.ts";
import { answerTo } from "./commands.ts";
import { type PlainAnswer, plainAnswer } from "./plain-answer.ts";

/** Answers one request a line, in order and as lines arrive, until the input ends. */
export async function runBatch(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const hasRoom = output.write(`${answerLine(line)}\n`);
    if (!hasRoom) await new Promise<void>((resolve) => output.once("drain", resolve));
  }
}

/** The answer to one line; a line that is no request gets an answer too. */
export function answerLine(line: string): string {
  const request = parsedJson(markFloats(line));
  if (!isRecord(request)) return JSON.stringify(bad("the line is not a JSON object"));
  const { id, command, args = {} } = request;
  const named = id === undefined ? {} : { id };
  if (typeof command !== "string") return lineOf(named, bad('"command" must be a text'));
  if (!isRecord(args)) return lineOf(named, bad('"args" must be an object'));
  return lineOf(named, plainAnswer(answerTo(command, args), args));
}

function lineOf(named: object, answer: object): string {
  try {
    return JSON.stringify({ ...named, ...answer });
  } catch {
    return JSON.stringify(bad("the answer or its id cannot be written as JSON"));
  }
}

function bad(message: string): PlainAnswer {
  return plainAnswer(badRequest(message), {});
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Arguments {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
