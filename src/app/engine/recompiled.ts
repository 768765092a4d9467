import { type Compiled, createAlike } from "#compile";
import type { Answer } from "./protocol.ts";

const parts = [
  ...([
    "source",
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

/** The worker's end: of an answer to a text only what differs from the one before is sent. */
export function createShortener(): (answer: Answer) => Answer {
  let last: Compiled | undefined;
  return (answer) => {
    if (answer.kind !== "compiled") return answer;
    const { id, compiled } = answer;
    const before = last;
    last = compiled;
    return before === undefined
      ? answer
      : { kind: "recompiled", id, changed: changesOf(before, compiled) };
  };
}

function changesOf(before: Compiled, after: Compiled): Partial<Compiled> {
  const areAlike = createAlike();
  const changed = parts.filter((part) => !areAlike(before[part], after[part]));
  return Object.fromEntries(changed.map((part) => [part, after[part]]));
}

/** The other end, one per worker: answers are whole again, and what did not change is the same object. */
export function createCompleter(): (answer: Answer) => Answer {
  let last: Compiled | undefined;
  return (answer) => {
    if (answer.kind === "compiled") last = answer.compiled;
    if (answer.kind !== "recompiled") return answer;
    const { id, changed } = answer;
    if (last === undefined) return { kind: "failed", id, message: "an answer without its base" };
    last = { ...last, ...changed };
    return { kind: "compiled", id, compiled: last };
  };
}
