import { emptyHistory, record, redone, undone } from "../app/state/history.ts";

/** The texts after undoing each step in turn, then after redoing each. */
export function throughHistory(texts: readonly string[]): {
  readonly undone: readonly (string | undefined)[];
  readonly redone: readonly (string | undefined)[];
} {
  let history = emptyHistory;
  for (const text of texts.slice(0, -1)) history = record(history, text, "a gesture");
  let source = texts.at(-1) ?? "";
  const step = (move: typeof undone) => {
    const moved = move(history, source);
    history = moved?.history ?? history;
    source = moved?.source ?? source;
    return moved?.source;
  };
  const steps = texts.slice(1);
  return { undone: steps.map(() => step(undone)), redone: steps.map(() => step(redone)) };
}
