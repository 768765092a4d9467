import type { CanvasLayout } from "#app/scene";
import type { Compiled } from "#compile";
import { type Patch, patched, patchOf } from "./patch.ts";
import type { Answer } from "./protocol.ts";

/** A value on its way: the first one as it is, each later one as what changed. */
export type Sent<T> = { readonly whole: T } | { readonly patch: Patch };

/** An answer on its way from a worker to the page. */
export type SentAnswer =
  | Exclude<Answer, { readonly kind: "compiled" | "laid-out" }>
  | {
      readonly kind: "sent-compiled";
      readonly id: number;
      /** Without the text, which may be long and which who asked knows. */
      readonly compiled: Sent<Compiled>;
      readonly layout?: Sent<CanvasLayout>;
    }
  | { readonly kind: "sent-layout"; readonly id: number; readonly layout: Sent<CanvasLayout> };

/** The worker's end: of what follows from a text only what differs from the last answer is sent. */
export function createSender(): (answer: Answer) => SentAnswer {
  const compiledOf = sender<Compiled>();
  const layoutOf = sender<CanvasLayout>();
  return (answer) => {
    const { id } = answer;
    if (answer.kind === "laid-out") {
      return { kind: "sent-layout", id, layout: layoutOf(answer.layout) };
    }
    if (answer.kind !== "compiled") return answer;
    const compiled = compiledOf({ ...answer.compiled, source: "" });
    return answer.layout === undefined
      ? { kind: "sent-compiled", id, compiled }
      : { kind: "sent-compiled", id, compiled, layout: layoutOf(answer.layout) };
  };
}

/**
 * The page's end, one per worker: answers are whole again, with the very text that was asked about,
 * and what did not change is the same object.
 */
export function createReceiver(): (answer: SentAnswer, source: string) => Answer {
  const compiledOf = receiver<Compiled>();
  const layoutOf = receiver<CanvasLayout>();
  return (answer, source) => {
    const { id } = answer;
    if (answer.kind === "sent-layout") {
      const layout = layoutOf(answer.layout);
      return layout === undefined ? withoutBase(id) : { kind: "laid-out", id, layout };
    }
    if (answer.kind !== "sent-compiled") return answer;
    const received = compiledOf(answer.compiled);
    if (received === undefined) return withoutBase(id);
    const compiled = { ...received, source };
    const layout = answer.layout && layoutOf(answer.layout);
    return { kind: "compiled", id, compiled, ...(layout !== undefined && { layout }) };
  };
}

function withoutBase(id: number): Answer {
  return { kind: "failed", id, message: "an answer without its base" };
}

function sender<T>(): (value: T) => Sent<T> {
  let last: { readonly value: T } | undefined;
  return (value) => {
    const before = last;
    last = { value };
    return before === undefined ? { whole: value } : { patch: patchOf(before.value, value) };
  };
}

function receiver<T>(): (sent: Sent<T>) => T | undefined {
  let last: { readonly value: T } | undefined;
  return (sent) => {
    if ("whole" in sent) last = { value: sent.whole };
    else if (last !== undefined) last = { value: patched(last.value, sent.patch) };
    return last?.value;
  };
}
