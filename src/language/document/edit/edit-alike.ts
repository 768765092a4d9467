import type { Span, TextEdit } from "#core/diagnostics";
import type { Operator, Tensor } from "#core/ir";
import type { Document } from "../read-document.ts";
import type { AxisLists } from "../trace/axes-text.ts";
import {
  appendLine,
  callEdits,
  isOwnCall,
  layoutCallEdits,
  layoutText,
  ownPlace,
  strategyArguments,
  targetText,
} from "./edit.ts";

/**
 * Ways to give several operators the strategy `wanted`, shortest first. Calls that target only
 * these operators are edited in place; the rest get one line with a wildcard, or one line each. The
 * caller tests which way has exactly the wanted effect.
 */
export function strategyWays(
  document: Document,
  operators: readonly Operator[],
  wanted: AxisLists,
): readonly (readonly TextEdit[])[] {
  const { strategyCalls } = document;
  const followed = [...strategyCalls].map(([id, { span }]) => ({ id, span }));
  const isOwn = ownTo(operators, followed);
  const [only, second] = operators;
  return waysOf(document, operators, {
    inPlace: (operator) => {
      const call = strategyCalls.get(operator.id);
      if (call === undefined || !isOwn(call.span)) return undefined;
      const isSingle = only !== undefined && second === undefined;
      const isWritable = isSingle
        ? isOwnCall(document, only, call)
        : typeof call.target !== "string" || document.source[call.span.to - 1] === ")";
      return isWritable ? callEdits(document, call, wanted) : undefined;
    },
    line: (target) => `strategy(${target}${strategyArguments(wanted)})`,
  });
}

/** Ways to place several tensors at `wanted` (one list of axes per dim); like `strategyWays`. */
export function placeWays(
  document: Document,
  tensors: readonly Tensor[],
  wanted: readonly (readonly string[])[],
): readonly (readonly TextEdit[])[] {
  const { placements } = document.requests;
  const followed = [...placements].flatMap(([id, { span }]) =>
    span === undefined ? [] : [{ id, span }],
  );
  const isOwn = ownTo(tensors, followed);
  return waysOf(document, tensors, {
    inPlace: (tensor) => {
      const span = placements.get(tensor.id)?.span;
      const isSingle = tensors.length === 1;
      const call = isSingle
        ? ownPlace(document, tensor)
        : document.trace.places.find((each) => each.span.from === span?.from);
      return call === undefined || !isOwn(call.span) ? undefined : layoutCallEdits(call, wanted);
    },
    line: (target) => `place(${target}, ${layoutText(document, wanted)})`,
  });
}

interface Named {
  readonly name: string;
}

interface Writer<Item extends Named> {
  /** Edits of the call that an item follows; `undefined` when it must not be changed. */
  readonly inPlace: (item: Item) => readonly TextEdit[] | undefined;
  readonly line: (target: string) => string;
}

function waysOf<Item extends Named>(
  document: Document,
  items: readonly Item[],
  { inPlace, line }: Writer<Item>,
): readonly (readonly TextEdit[])[] {
  const own = items.map((item) => ({ item, edits: inPlace(item) }));
  const changed = mergedEdits(own.flatMap(({ edits }) => edits ?? []));
  const lines = (names: readonly string[]): readonly TextEdit[] =>
    names.length === 0
      ? []
      : [appendLine(document, names.map((name) => line(targetText(document, name))).join("\n"))];
  const all = lines(items.map(({ name }) => name));
  if (changed === undefined) return [all];
  const rest = own.flatMap(({ item, edits }) => (edits === undefined ? [item.name] : []));
  if (rest.length === 0) return [changed, all];
  const pattern = rest.length > 1 ? patternOf(rest) : undefined;
  const short =
    pattern === undefined ? [] : [[...changed, appendLine(document, line(`"${pattern}"`))]];
  return [...short, [...changed, ...lines(rest)], all];
}

/** Whether a call is followed by these items only. */
function ownTo(
  items: readonly { readonly id: string }[],
  followed: readonly { readonly id: string; readonly span: Span }[],
): (span: Span) => boolean {
  const ids = new Set(items.map(({ id }) => id));
  const shared = new Set(followed.flatMap(({ id, span }) => (ids.has(id) ? [] : [span.from])));
  return ({ from }) => !shared.has(from);
}

/** All edits in text order, duplicates removed; `undefined` when two overlap. */
export function mergedEdits(edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
  const known = new Map<string, TextEdit>();
  for (const edit of edits) {
    const key = `${edit.from} ${edit.to}`;
    const before = known.get(key);
    if (before !== undefined && before.text !== edit.text) return undefined;
    known.set(key, edit);
  }
  const inOrder = [...known.values()].toSorted((a, b) => a.from - b.from);
  const overlap = inOrder.some(({ from }, at) => from < (inOrder[at - 1]?.to ?? 0));
  return overlap ? undefined : inOrder;
}

/**
 * Pattern with `*` in place of the numbers in which names differ: `layers[*].h` for `layers[0].h`
 * and `layers[1].h`. `undefined` when names differ otherwise.
 */
export function patternOf(names: readonly string[]): string | undefined {
  const [first, ...others] = names.map((name) => name.split(/(\d+)/u));
  if (first === undefined || first.some((piece) => piece.includes("*"))) return undefined;
  if (others.some((pieces) => pieces.length !== first.length)) return undefined;
  const pieces = first.map((piece, at) => {
    if (others.every((other) => other[at] === piece)) return piece;
    return at % 2 === 1 ? "*" : undefined;
  });
  return pieces.includes(undefined) ? undefined : pieces.join("");
}
