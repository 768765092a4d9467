import type { Layout, Part } from "#core/mesh";
import { type AxisTag, tagsOf } from "../hue.ts";
import { dimName, joined, type LabelSegment, labelOf } from "./label.ts";

/**
 * The notation of layouts: this project's own, the subscripts of "How to Scale Your Model", JAX's,
 * DTensor's.
 */
export type Notation = "ours" | "book" | "jax" | "dtensor";

/**
 * The label of a layout in a notation: `[b@dp, f]{Σ mp}`, `[b_dp, f]{U_mp}`, `P('dp', None,
 * unreduced={'mp'})`, `(S(0), P(sum))`. A layout that the notation cannot express, such as one with
 * sub-axes or, outside DTensor, with reductions other than sums, is written in ours.
 */
export function labelIn(
  notation: Notation,
  layout: Layout,
  dimNames: readonly string[],
): readonly LabelSegment[] {
  if (notation === "ours" || !isPlain(layout)) return labelOf(layout, dimNames);
  const hasOtherSums = layout.partials.some(({ reduce }) => reduce !== "sum");
  if (notation === "dtensor") return [plain(placementsText(layout))];
  if (hasOtherSums) return labelOf(layout, dimNames);
  return joined(notation === "book" ? bookSegments(layout, dimNames) : jaxSegments(layout));
}

/** Whether all parts are whole axes of the mesh. */
function isPlain({ mesh, dims, partials }: Layout): boolean {
  const parts = [...dims.flatMap((dim) => dim.parts), ...partials.map(({ part }) => part)];
  return parts.every(
    (part) =>
      part.kind === "axis" &&
      mesh.axes.some(({ name, size }) => name === part.axis && size === part.size),
  );
}

function bookSegments(layout: Layout, dimNames: readonly string[]): readonly LabelSegment[] {
  const dims = layout.dims.flatMap(({ parts }, dim) => [
    plain(`${dim === 0 ? "" : ", "}${dimName(dimNames, dim)}`),
    ...subscript(layout, parts),
  ]);
  const sums = layout.partials.map(({ part }) => part);
  const unreduced = sums.length === 0 ? [] : [plain("{U"), ...subscript(layout, sums), plain("}")];
  return [plain("["), ...dims, plain("]"), ...unreduced];
}

function subscript(layout: Layout, parts: readonly Part[]): readonly LabelSegment[] {
  const [only, second] = tagsOf(layout.mesh, parts);
  if (only === undefined) return [];
  if (second === undefined) return [plain("_"), axis(only)];
  return [plain("_{"), ...listed(tagsOf(layout.mesh, parts), ","), plain("}")];
}

function jaxSegments(layout: Layout): readonly LabelSegment[] {
  const dims = layout.dims.flatMap(({ parts }, dim) => [
    plain(dim === 0 ? "" : ", "),
    ...jaxDim(tagsOf(layout.mesh, parts)),
  ]);
  const sums = tagsOf(
    layout.mesh,
    layout.partials.map(({ part }) => part),
  );
  const comma = layout.dims.length === 0 ? "" : ", ";
  const unreduced =
    sums.length === 0 ? [] : [plain(`${comma}unreduced={`), ...quoted(sums), plain("}")];
  return [plain("P("), ...dims, ...unreduced, plain(")")];
}

function jaxDim(tags: readonly AxisTag[]): readonly LabelSegment[] {
  if (tags.length === 0) return [plain("None")];
  return tags.length === 1 ? quoted(tags) : [plain("("), ...quoted(tags), plain(")")];
}

function quoted(tags: readonly AxisTag[]): readonly LabelSegment[] {
  return tags.flatMap((tag, at) => [plain(at === 0 ? "'" : ", '"), axis(tag), plain("'")]);
}

/** One placement per mesh axis; `_S` for an axis that shards a dim outside the mesh's order. */
function placementsText({ mesh, dims, partials }: Layout): string {
  const rank = (name: string) => mesh.axes.findIndex((each) => each.name === name);
  const placements = mesh.axes.map(({ name }) => {
    const sum = partials.find(({ part }) => part.kind === "axis" && part.axis === name);
    if (sum !== undefined) return `P(${sum.reduce === "prod" ? "product" : sum.reduce})`;
    const dim = dims.findIndex(({ parts }) => namesOf(parts).includes(name));
    if (dim < 0) return "R";
    const names = namesOf(dims[dim]?.parts ?? []);
    const inside = names.slice(names.indexOf(name) + 1);
    return inside.some((other) => rank(other) < rank(name)) ? `_S(${dim})` : `S(${dim})`;
  });
  return `(${placements.join(", ")})`;
}

function namesOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => (part.kind === "axis" ? [part.axis] : []));
}

function listed(tags: readonly AxisTag[], comma: string): readonly LabelSegment[] {
  return tags.flatMap((tag, at) => (at === 0 ? [axis(tag)] : [plain(comma), axis(tag)]));
}

function axis(tag: AxisTag): LabelSegment {
  return { kind: "axis", ...tag };
}

function plain(text: string): LabelSegment {
  return { kind: "plain", text };
}
