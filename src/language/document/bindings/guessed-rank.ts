import type { Span } from "#core/diagnostics";
import { parseAnnotation } from "#core/dimops";
import type { Attributes, LibraryEntry } from "#core/ir";
import type { Frame } from "#language/python";
import { knownSize, openShape } from "../trace/size.ts";
import type { PlainOperand, TracedTensor } from "../trace/traced.ts";
import type { ShardStrategy } from "../trace/written-layouts.ts";

/** Assumed rank of a tensor when nothing tells it. */
const usualRank = 2;

/**
 * Gives a tensor without a shape one of open sizes.
 *
 * @param rank rank told by the text; when `undefined` it is guessed, which the tensor notes
 */
export function giveRank(tensor: TracedTensor, rank: number | undefined): void {
  tensor.shape = openShape(tensor, rank ?? Math.max(usualRank, tensor.leading?.length ?? 0));
  tensor.shapeStatus = "assumed";
  if (rank === undefined) tensor.isRankGuessed = true;
}

/**
 * Number of names that a statement unpacks a shape into: `b, s, d = x.shape`, `b, d, device =
 * *x.shape, x.device`. `undefined` when it unpacks none.
 */
export function unpackedInto(source: string, span: Span): number | undefined {
  const start = source.lastIndexOf("\n", span.from - 1) + 1;
  const found =
    /^[ \t(]*([A-Za-z_]\w*(?:[ \t]*,[ \t]*[A-Za-z_]\w*)*)[ \t,)]*=[ \t]*(\*?)[ \t]*$/.exec(
      source.slice(start, span.from),
    );
  const names = found?.[1]?.split(",").length;
  if (names === undefined || names === 1) return undefined;
  if (found?.[2] === "") return names;
  const [rest = ""] = source.slice(span.to).split("\n", 1);
  const others =
    /^(?:[ \t]*,[ \t]*[A-Za-z_][\w.]*)*[ \t]*$/.test(rest) && rest.split(",").length - 1;
  return others === false || others >= names ? undefined : names - others;
}

/**
 * Rank that the rest of a function requires of a tensor, from uses such as `x.size(3)` or `b, c, h
 * = x.shape` before the name is reassigned. `undefined` when not above the usual one.
 */
export function askedLater(
  source: string,
  { from, to }: Span,
  frames: readonly Frame[],
): number | undefined {
  const name = /^\w+(?=\.(?:shape|size|dim|ndim)\b)/u.exec(source.slice(from, to))?.[0];
  const end = frames.at(-1)?.callee.bodySpan.to;
  if (name === undefined || end === undefined || end < from) return undefined;
  const [rest = ""] = source
    .slice(from, end)
    .split(new RegExp(`\\n[ \\t]*${name}[ \\t]*=(?!=)`, "u"));
  const places = rest.matchAll(new RegExp(`\\b${name}\\.(?:shape\\[|size\\()(\\d)[\\])]`, "gu"));
  const whole = new RegExp(`^([^=\\n(]+)=[ \\t]*${name}\\.(?:shape|size\\(\\))[ \\t]*$`, "gmu");
  const rows = [...rest.matchAll(whole)].map(([, names = ""]) => names.split(",").length);
  const rank = Math.max(0, ...rows, ...[...places].map(([, place]) => Number(place) + 1));
  return rank > usualRank ? rank : undefined;
}

/**
 * Rank that an operator requires of an operand when only one rank is legal (4 for `conv2d`); else
 * `undefined`.
 */
export function rankTaken(
  entry: LibraryEntry,
  inputs: readonly (TracedTensor | PlainOperand)[],
  attributes: Attributes,
  index: number,
): number | undefined {
  const shapes = inputs.map((each) =>
    each.kind === "tensor"
      ? (each.shape?.map((size) => knownSize(size) ?? 2) ?? [2, 2])
      : undefined,
  );
  // The target of a loss has the rank that the annotation pairs with the input's rank.
  const isTarget = entry.parameters[index] === "target" && entry.parameters[0] === "input";
  const ranks = [1, 2, 3].map((rank) => {
    const own = isTarget ? undefined : new Array<number>(rank).fill(2);
    const tried = shapes.with(index, own);
    const annotation = entry.annotate({ inputs: tried, attributes });
    const text = typeof annotation === "string" ? annotation : "";
    const read = parseAnnotation(text);
    return read.ok ? read.value.inputs[index]?.dims.length : undefined;
  });
  const [first] = ranks;
  return first !== undefined && first > 0 && ranks.every((rank) => rank === first)
    ? first
    : undefined;
}

/**
 * Rank that the name of the innermost running layer or function tells: `ReflectionPad2d` requires
 * rank 4. `undefined` when no name tells one.
 */
export function rankByLayer(frames: readonly Frame[]): number | undefined {
  for (const { name, receiver } of frames.toReversed()) {
    const type = receiver?.kind === "instance" ? receiver.type.name : "";
    const rank = rankByName(type) ?? rankByName(name);
    if (rank !== undefined) return rank;
  }
  return undefined;
}

/**
 * Gives a tensor without a shape the rank that a layer or function requires. No-op when `rank` is
 * `undefined`.
 */
export function takeRank(tensor: TracedTensor | undefined, rank: number | undefined): void {
  if (tensor !== undefined && tensor.shape === undefined && rank !== undefined)
    giveRank(tensor, rank);
}

/**
 * Rank that the suffix of a name tells: `adaptive_avg_pool2d` has 2 spatial dims after batch and
 * channels, so rank 4. `undefined` for other names.
 */
export function rankByName(name: string): number | undefined {
  const spatial = /([123])d$/.exec(name)?.[1];
  return spatial === undefined ? undefined : Number(spatial) + 2;
}

/** Rank of an operand in a sharding strategy; `undefined` when the strategy does not give it. */
export function rankIn(strategy: ShardStrategy | undefined, operand: number): number | undefined {
  if (strategy === undefined) return undefined;
  return strategy.kind === "tuples"
    ? strategy.values[operand]?.length
    : strategy.inputs[operand]?.dims.length;
}
