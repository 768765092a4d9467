import { type CallPlace, callAround, type TextPlace, typedEnd } from "#language/tokens";
import { systems } from "#systems";
import { argumentValues } from "./argument-values.ts";
import { axisItems, isLayout } from "./complete-text.ts";
import type { CompletionItem, CompletionList } from "./completion.ts";
import type { Facts } from "./facts.ts";
import { layoutValues } from "./layout-values.ts";
import { byGain, trialText, tryEach } from "./trial.ts";
import { nameUseAt, tensorsOf } from "./values.ts";

/**
 * Completions for a value without an opening quote: quoted axes of `strategy(h, b=` and `layout(`,
 * and tuples of them; the layouts of `place(h, `; the values of `zero=`, `dtype=`. `undefined` for
 * any other place.
 */
export function completeValue(
  facts: Facts,
  place: TextPlace,
  isSpent: () => boolean,
): CompletionList | undefined {
  const around = callAround(place.open);
  if (around === undefined) return undefined;
  const numbered = valueSpan(facts, place, around, /^[\p{L}\p{N}_]/u);
  const values = numbered === undefined ? [] : valuesAt(facts, around);
  if (numbered !== undefined && values.length > 0) return { span: numbered, items: values };
  const span = valueSpan(facts, place, around, /^[\p{L}_]/u);
  if (span === undefined) return undefined;
  if (isDue(facts, around)) return axesAt(facts, around, span, isSpent);
  if (around.word !== "place" || around.path.join() !== "1") return undefined;
  const items = layoutItems(facts, around, span, isSpent);
  return items.length === 0 ? undefined : { span, items };
}

/** The values of an argument with few values, by its call. */
function valuesAt(facts: Facts, around: CallPlace): readonly CompletionItem[] {
  const found = [argumentValues, systemValues, layoutValues].map((of) => of(facts, around));
  return found.find((items) => items.length > 0) ?? [];
}

/** Items for the axes that begin with the typed word; `undefined` if none does. */
function axesAt(
  facts: Facts,
  around: CallPlace,
  span: { readonly from: number; readonly to: number },
  isSpent: () => boolean,
): CompletionList | undefined {
  const typed = facts.source.slice(span.from, span.to).toLowerCase();
  const { axes } = facts.compiled.mesh.mesh;
  const begins = (name: string) => name.toLowerCase().startsWith(typed);
  if (![...axes.map(({ name }) => name), "None"].some(begins)) return undefined;
  const single = axisItems(facts, span, ['"', '"'], isSpent).map((item) => ({
    ...item,
    filter: item.label,
  }));
  const isTuple = around.path.length > 1;
  return { span, items: [...single, ...(isTuple ? [] : pairItems(facts, span, isSpent))] };
}

/**
 * Span of a word of the given kind at the caret, if a value begins there and nothing follows yet.
 */
function valueSpan({ source }: Facts, place: TextPlace, { call }: CallPlace, kind: RegExp) {
  const { token, offset } = place;
  const isWord = token !== undefined && kind.test(source.slice(token.from, token.to));
  if (token !== undefined && !isWord) return undefined;
  const span = { from: token?.from ?? offset, to: typedEnd(source, offset) };
  const before = source.slice(call.at, span.from);
  const isBegun = /[(,=[]\s*$/.test(before);
  return isBegun && /^[^\S\n]*([,)\]}#\n]|$)/.test(source.slice(span.to)) ? span : undefined;
}

function isDue(facts: Facts, around: CallPlace): boolean {
  return around.word === "strategy" ? around.call.keyword !== undefined : isLayout(facts, around);
}

/**
 * Most mesh axes (of more than one device) that are combined in pairs; more would give too many
 * pairs.
 */
const pairedAxes = 4;

/** Pairs of axes on one dim, outermost first. */
function pairItems(
  facts: Facts,
  span: { readonly from: number; readonly to: number },
  isSpent: () => boolean,
): readonly CompletionItem[] {
  const axes = facts.compiled.mesh.mesh.axes.filter(({ size }) => size > 1).slice(0, pairedAxes);
  const texts = axes.flatMap(({ name: outer }) =>
    axes.flatMap(({ name: inner }) => (inner === outer ? [] : [`("${outer}", "${inner}")`])),
  );
  return triedItems(facts, span, texts, { base: '"None"', isSpent });
}

/** The layouts that leave a tensor whole or shard one of its dims. */
function layoutItems(
  facts: Facts,
  { call }: CallPlace,
  span: { readonly from: number; readonly to: number },
  isSpent: () => boolean,
): readonly CompletionItem[] {
  const use = nameUseAt(facts, call.at + 1);
  const tensor = use === undefined ? undefined : tensorsOf(facts, use)[0];
  if (tensor === undefined || tensor.shape.length === 0) return [];
  const whole = tensor.shape.map(() => '"None"');
  const { axes } = facts.compiled.mesh.mesh;
  const cut = axes.flatMap(({ name, size }) =>
    size === 1 ? [] : whole.map((_, dim) => whole.with(dim, `"${name}"`)),
  );
  const texts = [whole, ...cut].map((dims) => `layout(${dims.join(", ")})`);
  return triedItems(facts, span, texts, { base: texts[0] ?? "", isSpent });
}

/** The texts that compile without errors, with their effect, cheapest first. */
function triedItems(
  facts: Facts,
  span: { readonly from: number; readonly to: number },
  texts: readonly string[],
  how: { readonly base: string; readonly isSpent: () => boolean },
): readonly CompletionItem[] {
  const trials = tryEach(facts, span, texts, how);
  return texts
    .flatMap((text, at) => {
      const trial = trials[at];
      if (trial === undefined || trial.kind === "fault") return [];
      const item = { label: text, kind: "axis" as const, insert: text, detail: trialText(trial) };
      return [{ trial, item }];
    })
    .sort((a, b) => byGain(a.trial, b.trial))
    .map(({ item }) => item);
}

/** The systems' values for a keyword of a call. */
function systemValues(facts: Facts, around: CallPlace): readonly CompletionItem[] {
  return systems.flatMap(({ explains }) => explains?.values?.(facts, around) ?? []);
}
