import type { Answer, Arguments } from "./commands/answer.ts";
import { plainAnswer } from "./plain-answer.ts";
import { readable } from "./readable.ts";

/** Work of a worker: answering a line of a batch, or a whole command line. */
export type Work =
  | { readonly kind: "line"; readonly line: string }
  | { readonly kind: "command"; readonly argv: readonly string[] };

/** Printed output for a piece of work, with its final newline. */
export interface Printed {
  readonly text: string;
  readonly ok: boolean;
}

/** An answer printed as text for people, or as JSON for programs. */
export function printedAnswer(answer: Answer, args: Arguments, isJson: boolean): Printed {
  const plain = plainAnswer(answer, args);
  const text = isJson ? JSON.stringify(plain) : readable(plain, plain.diagnostics);
  return { text: `${text}\n`, ok: answer.ok };
}
