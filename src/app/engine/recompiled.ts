import { type Compiled, createAlike } from "#compile";
import type { Answer } from "./protocol.ts";

const parts = [
  ...([
    "planText",
    "loom",
    "system",
    "diagnostics",
    "mesh",
    "hardware",
    "hardwareStatus",
    "graph",
    "plan",
  ] as const),
  ...(["program", "tensors", "cost", "memory", "planText", "loom"] as const),
] satisfies readonly (keyof Compiled)[];

/**
 * The worker's end: of an answer to a text only what differs from the one before is sent, and never
 * the text, which may be long and which who asked knows.
 */
export function createShortener(): (answer: Answer) => Answer {
  let last: Compiled | undefined;
  return (answer) => {
    if (answer.kind !== "compiled") return answer;
    const { compiled, ...rest } = answer;
    const before = last;
    last = compiled;
    return before === undefined
      ? { ...rest, compiled: { ...compiled, source: "" } }
      : { ...rest, kind: "recompiled", changed: changesOf(before, compiled) };
  };
}

function changesOf(before: Compiled, after: Compiled): Partial<Compiled> {
  const areAlike = createAlike();
  const changed = parts.filter((part) => !areAlike(before[part], after[part]));
  return Object.fromEntries(changed.map((part) => [part, after[part]]));
}

/**
 * The other end, one per worker: answers to a text are whole again, with the very text that was
 * asked about, and what did not change is the same object.
 */
export function createCompleter(): (answer: Answer, source: string) => Answer {
  let last: Compiled | undefined;
  return (answer, source) => {
    if (answer.kind !== "compiled" && answer.kind !== "recompiled") return answer;
    const { id } = answer;
    const base = answer.kind === "compiled" ? answer.compiled : last;
    if (base === undefined) return { kind: "failed", id, message: "an answer without its base" };
    last = { ...base, ...(answer.kind === "recompiled" && answer.changed), source };
    const { layout } = answer;
    return { kind: "compiled", id, compiled: last, ...(layout !== undefined && { layout }) };
  };
}
