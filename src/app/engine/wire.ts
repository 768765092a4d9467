import type { CanvasLayout } from "#app/scene/graph";
import type { Compiled } from "#compile";
import { type Patch, patched, patchOf } from "./patch.ts";
import type { CompiledAndPlaced, Questions, WrittenGesture } from "./protocol.ts";
import type { Message } from "./question.ts";

/** Value in transfer: the first one whole, each later one as a patch of the one before. */
export type Sent<T> = { readonly whole: T } | { readonly patch: Patch };

/** Questions as transferred: large answers are sent as patches. */
interface SentQuestions
  extends Omit<Questions, "compile" | "compile-aside" | "gesture" | "layout"> {
  compile: { takes: Questions["compile"]["takes"]; gives: SentPlaced };
  gesture: {
    takes: Questions["gesture"]["takes"];
    gives: Omit<WrittenGesture, "next"> & { readonly next?: SentPlaced };
  };
  "compile-aside": { takes: Questions["compile-aside"]["takes"]; gives: Sent<Compiled> };
  layout: { takes: Questions["layout"]["takes"]; gives: Sent<CanvasLayout> };
}

/** Compiled text without its source, which the page already has. */
interface SentPlaced {
  readonly compiled: Sent<Compiled>;
  readonly layout?: Sent<CanvasLayout>;
}

/** Message from a compiler worker, as transferred. */
export type SentMessage = Message<SentQuestions>;

/** Encoder on the worker's side: sends each large answer as a patch of the one before. */
export function createSender(): (message: Message<Questions>) => SentMessage {
  const compiledOf = sender<Compiled>();
  const layoutOf = sender<CanvasLayout>();
  const placedOf = ({ compiled, layout }: CompiledAndPlaced): SentPlaced => ({
    compiled: compiledOf({ ...compiled, source: "" }),
    ...(layout !== undefined && { layout: layoutOf(layout) }),
  });
  return (message) => {
    if (!("answer" in message)) return message;
    switch (message.kind) {
      case "compile":
        return { ...message, answer: placedOf(message.answer) };
      case "gesture": {
        const { outcome, next } = message.answer;
        const sent = next === undefined ? {} : { next: placedOf(next) };
        return { ...message, answer: { outcome, ...sent } };
      }
      case "compile-aside":
        return { ...message, answer: compiledOf({ ...message.answer, source: "" }) };
      case "layout":
        return { ...message, answer: layoutOf(message.answer) };
      default:
        return message;
    }
  };
}

/**
 * Decoder on the page's side, one per worker: restores whole answers with the question's text.
 * Unchanged parts remain the same objects.
 */
export function createReceiver(): (message: SentMessage, source: string) => Message<Questions> {
  const compiledOf = receiver<Compiled>();
  const layoutOf = receiver<CanvasLayout>();
  const placedOf = (sent: SentPlaced, source: string): CompiledAndPlaced | undefined => {
    const compiled = compiledOf(sent.compiled);
    if (compiled === undefined) return undefined;
    const layout = sent.layout && layoutOf(sent.layout);
    return { compiled: { ...compiled, source }, ...(layout !== undefined && { layout }) };
  };
  return (message, source) => {
    if (!("answer" in message)) return message;
    switch (message.kind) {
      case "compile": {
        const answer = placedOf(message.answer, source);
        return answer === undefined ? withoutBase(message) : { ...message, answer };
      }
      case "gesture": {
        const { outcome, next } = message.answer;
        const known = outcome.ok && next && placedOf(next, outcome.source);
        return { ...message, answer: { outcome, ...(known && { next: known }) } };
      }
      case "compile-aside": {
        const compiled = compiledOf(message.answer);
        if (compiled === undefined) return withoutBase(message);
        return { ...message, answer: { ...compiled, source } };
      }
      case "layout": {
        const layout = layoutOf(message.answer);
        return layout === undefined ? withoutBase(message) : { ...message, answer: layout };
      }
      default:
        return message;
    }
  };
}

function withoutBase({ id }: SentMessage): Message<Questions> {
  return { id, failure: "an answer without its base" };
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
