import type { Answer, Arguments } from "./commands/answer.ts";
import { plainAnswer } from "./plain-answer.ts";
import { readable } from "./readable.ts";

/** The work of a worker: the answer to a line of a batch, or to a whole command line. */
export type Work =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "command"; readonly argv: readonly string[] };

/** What is printed for a piece of work, with its line end. */
export interface Printed {
  readonly text: string;
  readonly ok: boolean;
}

/** An answer as a reader or a program wants it. */
export function printedAnswer(answer: Answer, args: Arguments, isJson: boolean): Printed {
  const plain = plainAnswer(answer, args);
  const text = isJson ? JSON.stringify(plain) : readable(plain, plain.diagnostics);
  return { text: `${text}\n`, ok: answer.ok };
}
