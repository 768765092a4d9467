import { isRecord } from "#core/records";
import { type Answer, type Arguments, badRequest } from "./commands/answer.ts";
import { markFloats } from "./commands/mark-floats.ts";
import { plainAnswer } from "./plain-answer.ts";

/** A parsed line of a batch: a request with its id, or the reason why it is none. */
export type LineRequest =
  | {
      readonly kind: "request";
      readonly named: object;
      readonly command: string;
      readonly args: Arguments;
    }
  | { readonly kind: "fault"; readonly named: object; readonly message: string };

/**
 * Parses one line of a batch. The command's fields are in `args` or, without `args`, next to
 * `command`.
 */
export function readLine(line: string): LineRequest {
  const request = parsedJson(markFloats(line));
  if (!isRecord(request)) {
    return { kind: "fault", named: {}, message: "the line is not a JSON object" };
  }
  const { id, command, ...fields } = request;
  const { args = fields } = fields;
  const named = id === undefined ? {} : { id };
  if (typeof command !== "string") {
    return { kind: "fault", named, message: '"command" must be a text' };
  }
  if (!isRecord(args)) return { kind: "fault", named, message: '"args" must be an object' };
  return { kind: "request", named, command, args };
}

/** The answer to one line; a line that is no request is answered with a diagnostic. */
export function answerLine(
  line: string,
  answerTo: (command: string, args: Arguments) => Answer,
): string {
  const read = readLine(line);
  if (read.kind === "fault") return lineOf(read.named, badRequest(read.message), {});
  return lineOf(read.named, answerTo(read.command, read.args), read.args);
}

/** An answer with the id of its request, as one line of JSON. */
export function lineOf(named: object, answer: Answer, args: Arguments): string {
  try {
    return JSON.stringify({ ...named, ...plainAnswer(answer, args) });
  } catch {
    const fault = badRequest("the answer or its id cannot be written as JSON");
    return JSON.stringify(plainAnswer(fault, {}));
  }
}

function parsedJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
