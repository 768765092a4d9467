import { formatBytesDelta, formatSecondsDelta } from "#app/scene/text";
import type { Compiled } from "#compile";
import type { Span } from "#core/diagnostics";
import { openBracketsAt, tokensOf } from "#language/tokens";
import type { Facts } from "./facts.ts";

/** The cost of a text: bytes sent, peak bytes of the fullest device, seconds. */
interface Figures {
  readonly bytes: number;
  readonly peakBytes: number;
  readonly seconds: number;
}

/** The result of trying a candidate: its change relative to the present text, or a fault. */
export type Trial =
  | { readonly kind: "legal"; readonly delta: Figures }
  | { readonly kind: "fault" }
  | { readonly kind: "untried" };

/** Tries texts in place of a span until time is up; `base` is the neutral text of the span. */
export function tryEach(
  facts: Facts,
  span: Span,
  candidates: readonly string[],
  { base, isSpent }: { readonly base: string; readonly isSpent: () => boolean },
): readonly Trial[] {
  const before = baseOf(facts, span, base);
  const texts = candidates.map((candidate) => withText(facts.source, span, candidate));
  return tryTexts(facts, before, texts, isSpent);
}

/** Most operators of a program that compiles quickly on any machine. */
const fewOperators = 60;

/** Number of texts that are tried for a small program even after time is up. */
const triedAnyway = 6;

/**
 * Tries whole texts against a compiled one until time is up; for a small program the first ones
 * always.
 */
export function tryTexts(
  { reread }: Facts,
  before: Compiled,
  texts: readonly string[],
  isSpent: () => boolean,
): readonly Trial[] {
  const isSmall = before.graph.operators.length <= fewOperators;
  return texts.map((text, at) => {
    const isDue = isSmall && at < triedAnyway;
    if (!isDue && isSpent()) return { kind: "untried" };
    const tried = reread(text).compiled;
    const known = new Set(errorsOf(before));
    if (errorsOf(tried).some((error) => !known.has(error))) return { kind: "fault" };
    return { kind: "legal", delta: difference(figuresOf(tried), figuresOf(before)) };
  });
}

/**
 * The compiled text if it has no errors, else the text compiled with the neutral text in place of
 * the span.
 */
function baseOf({ compiled, source, reread }: Facts, span: Span, base: string): Compiled {
  return errorsOf(compiled).length === 0 ? compiled : reread(withText(source, span, base)).compiled;
}

/**
 * A text with a replacement; the line's brackets are closed if the next line is not a continuation.
 */
export function withText(source: string, { from, to }: Span, text: string): string {
  const edited = source.slice(0, from) + text + source.slice(to);
  const at = from + text.length;
  const end = edited.indexOf("\n", at) < 0 ? edited.length : edited.indexOf("\n", at);
  const next = edited.slice(end).trimStart();
  const isIndented = /^\n+[ \t)\]}]/.test(edited.slice(end));
  if (next !== "" && isIndented) return edited;
  const open = openBracketsAt(edited, tokensOf(edited), end);
  const closers = open.map(({ bracket }) => closing[bracket]).reverse();
  return edited.slice(0, end) + closers.join("") + edited.slice(end);
}

const closing = { "(": ")", "[": "]", "{": "}" } as const;

/** The change of a candidate in bytes sent, time and memory: `−4.19 MB sent, −31.0 µs`. */
export function trialText(trial: Trial): string {
  if (trial.kind !== "legal") return "";
  const { bytes, seconds, peakBytes } = trial.delta;
  const memory = peakBytes === 0 ? "" : `, ${formatBytesDelta(peakBytes)} held`;
  return `${formatBytesDelta(bytes)} sent, ${formatSecondsDelta(seconds)}${memory}`;
}

/** Order of trials: legal ones by time, then bytes; untried ones after them, in the given order. */
export function byGain(a: Trial, b: Trial): number {
  if (a.kind !== "legal" || b.kind !== "legal")
    return Number(b.kind === "legal") - Number(a.kind === "legal");
  return (
    a.delta.seconds - b.delta.seconds ||
    a.delta.bytes - b.delta.bytes ||
    a.delta.peakBytes - b.delta.peakBytes
  );
}

function figuresOf({ cost, memory }: Compiled): Figures {
  return { bytes: cost.bytes, peakBytes: memory.peakBytes, seconds: cost.seconds };
}

function difference(after: Figures, before: Figures): Figures {
  return {
    bytes: after.bytes - before.bytes,
    peakBytes: after.peakBytes - before.peakBytes,
    seconds: after.seconds - before.seconds,
  };
}

function errorsOf({ diagnostics }: Compiled): readonly string[] {
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}
