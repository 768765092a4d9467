import type { Layout, Partial, ReduceKind } from "#core/mesh";
import { type AxisTag, partText, tagsOf } from "../hue.ts";

/** A piece of a label: plain text, or the name of a mesh axis, drawn in its hue. */
export type LabelSegment =
  | { readonly kind: "plain"; readonly text: string }
  | ({ readonly kind: "axis" } & AxisTag);

/**
 * The label of a layout, `[b@dp, s@(sp,mp), f]{Σ mp}`, as segments.
 *
 * Dim names come from the tensor, a missing one is `d0`, `d1`, …; rank 0 is `[ ]`, and an unknown
 * shape `[?]`.
 */
export function labelOf(layout: Layout, dimNames: readonly string[]): readonly LabelSegment[] {
  const dims = layout.dims.flatMap((_, dim) => [
    ...(dim === 0 ? [] : [plain(", ")]),
    ...dimSegments(layout, dim, dimNames),
  ]);
  const inside = layout.dims.length === 0 ? [plain(dimNames[0] ?? " ")] : dims;
  return joined([plain("["), ...inside, plain("]"), ...partialSegments(layout)]);
}

/** `labelOf` as one string. */
export function labelText(layout: Layout, dimNames: readonly string[]): string {
  return labelOf(layout, dimNames)
    .map((segment) => segment.text)
    .join("");
}

/**
 * The changes between two layouts of one tensor, as runs of text: the dims whose sharding differs
 * and the partials that appear or vanish. For a reduce-scatter `{Σ mp}` before and `s@(sp,mp)`
 * after.
 */
export function changedLabels(
  before: Layout,
  after: Layout,
  dimNames: readonly string[],
): { readonly before: readonly LabelSegment[]; readonly after: readonly LabelSegment[] } {
  const textOf = (segments: readonly LabelSegment[]) => segments.map(({ text }) => text).join("");
  const dims = before.dims.flatMap((_, dim) => {
    const [was, is] = [dimSegments(before, dim, dimNames), dimSegments(after, dim, dimNames)];
    return textOf(was) === textOf(is) ? [] : [dim];
  });
  const isReduced = textOf(partialSegments(before)) !== textOf(partialSegments(after));
  const show = (layout: Layout) =>
    joined([
      ...dims.flatMap((dim, at) => [
        ...(at === 0 ? [] : [plain(", ")]),
        ...dimSegments(layout, dim, dimNames),
      ]),
      ...(isReduced ? partialSegments(layout) : []),
    ]);
  return { before: show(before), after: show(after) };
}

/** The sign of a reduction in labels and badges: `Σ`, `max`, `min`, `Π`, `avg`. */
export function reduceSign(kind: ReduceKind): string {
  switch (kind) {
    case "sum":
      return "Σ";
    case "prod":
      return "Π";
    default:
      return kind;
  }
}

/** The name of a dim for display. */
export function dimName(dimNames: readonly string[], dim: number): string {
  return dimNames[dim] ?? `d${dim}`;
}

/** Partials grouped by kind, in the order in which the kinds first appear. */
export function partialsByKind(
  layout: Layout,
): readonly { readonly reduce: ReduceKind; readonly partials: readonly Partial[] }[] {
  const kinds = [...new Set(layout.partials.map((partial) => partial.reduce))];
  return kinds.map((reduce) => ({
    reduce,
    partials: layout.partials.filter((partial) => partial.reduce === reduce),
  }));
}

function dimSegments(
  layout: Layout,
  dim: number,
  dimNames: readonly string[],
): readonly LabelSegment[] {
  const parts = layout.dims[dim]?.parts ?? [];
  const name = plain(dimName(dimNames, dim));
  if (parts.length === 0) return [name];
  const axes = parts.flatMap((part, i): readonly LabelSegment[] => [
    ...(i === 0 ? [] : [plain(",")]),
    ...tagsOf(layout.mesh, [part]).map((tag) => ({ kind: "axis" as const, ...tag })),
    ...(part.kind === "pieces" ? [plain(partText(layout.mesh, part))] : []),
  ]);
  return parts.length === 1
    ? [name, plain("@"), ...axes]
    : [name, plain("@("), ...axes, plain(")")];
}

function partialSegments(layout: Layout): readonly LabelSegment[] {
  if (layout.partials.length === 0) return [];
  const kinds = partialsByKind(layout).flatMap(({ reduce, partials }, i) => [
    plain(`${i === 0 ? "" : ", "}${reduceSign(reduce)} `),
    ...tagsOf(
      layout.mesh,
      partials.map((partial) => partial.part),
    ).flatMap((tag, j): readonly LabelSegment[] => [
      ...(j === 0 ? [] : [plain(" ")]),
      { kind: "axis", ...tag },
    ]),
  ]);
  return [plain("{"), ...kinds, plain("}")];
}

function plain(text: string): LabelSegment {
  return { kind: "plain", text };
}

/** Merges neighbouring plain segments. */
export function joined(segments: readonly LabelSegment[]): readonly LabelSegment[] {
  const done: LabelSegment[] = [];
  for (const segment of segments) {
    const last = done.at(-1);
    const isRun = last?.kind === "plain" && segment.kind === "plain";
    if (isRun) done[done.length - 1] = plain(last.text + segment.text);
    else done.push(segment);
  }
  return done;
}
