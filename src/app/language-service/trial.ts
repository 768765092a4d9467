import { formatBytesDelta, formatSecondsDelta } from "#app/scene/text";
import type { Compiled } from "#compile";
import type { Span } from "#core/diagnostics";
import { openBracketsAt, tokensOf } from "#language/tokens";
import type { Facts } from "./facts.ts";

/** The cost of a text: bytes that move, bytes of the fullest device, seconds. */
interface Figures {
  readonly bytes: number;
  readonly peakBytes: number;
  readonly seconds: number;
}

/** A candidate that was tried: its change against the text as it is, or that it has a fault. */
export type Trial =
  | { readonly kind: "legal"; readonly delta: Figures }
  | { readonly kind: "fault" }
  | { readonly kind: "untried" };

/** Tries texts in place of a span, as long as there is time; `base` stands for nothing chosen. */
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

/** The most operators of a program that compiles in no time, however busy the machine is. */
const fewOperators = 60;

/** The number of texts of a small program that are tried even when the time is up. */
const triedAnyway = 6;

/** Tries whole texts against another one, as long as there is time; of a small program some always. */
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
 * The compiled text if it has no errors, else the text compiled with a neutral word in the place.
 */
function baseOf({ compiled, source, reread }: Facts, span: Span, base: string): Compiled {
  return errorsOf(compiled).length === 0 ? compiled : reread(withText(source, span, base)).compiled;
}

/** A text with a replacement, and with its line's brackets closed where the next line begins anew. */
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

/** `−4.19 MB, −31.0 µs`: what a candidate changes in bytes received and in time. */
export function trialText(trial: Trial): string {
  if (trial.kind !== "legal") return "";
  const { bytes, seconds, peakBytes } = trial.delta;
  const memory = peakBytes === 0 ? "" : `, ${formatBytesDelta(peakBytes)} held`;
  return `${formatBytesDelta(bytes)} sent, ${formatSecondsDelta(seconds)}${memory}`;
}

/** Legal ones by time, then bytes; untried ones behind them; in the order given otherwise. */
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
