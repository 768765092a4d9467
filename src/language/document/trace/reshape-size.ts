import { product } from "#core/arithmetic";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";
import { writing } from "../fix.ts";
import { shapeOf } from "./bind-traced.ts";
import { followsAssumed } from "./follows.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/** Faults of reshapes that change the number of elements; a warning when sizes are assumed. */
export function reshapeFaults(
  operators: Iterable<TracedOperator>,
  names: ReadonlyMap<TracedTensor, string>,
  source: string,
): readonly Diagnostic[] {
  return [...operators].flatMap((traced): Diagnostic[] => {
    const [from] = traced.inputs;
    const [to] = traced.outputs;
    if (traced.entry !== "reshape" || from?.kind !== "tensor" || to === undefined) return [];
    const [before, after] = [shapeOf(from), shapeOf(to)];
    if (from.shapeStatus === "assumed" || product(before) === product(after)) return [];
    const name = names.get(from) ?? traced.stem;
    const isAssumed = from.isGuessed === true || followsAssumed([from]);
    const cause =
      from.isGuessed === true
        ? "; its shape is a guess"
        : isAssumed
          ? "; sizes of what it is made of are assumed"
          : "";
    return [
      {
        code: "document/reshape-size",
        severity: isAssumed ? "warning" : "error",
        message: `"${name}" has ${written(before)} elements, which do not fit into ${written(after)}${cause}`,
        span: traced.span,
        upstream: "RuntimeError",
        fixes: fittingSizes(before, after, writtenSizes(source, traced.span)),
      },
    ];
  });
}

/** Integer literals at the end of a call, with their spans. */
function writtenSizes(source: string, { from, to }: Span): readonly { size: number; span: Span }[] {
  const call = source.slice(from, to);
  const list = /\d+(\s*,\s*-?\d+)*(?=,?\s*[)\]]*\s*,?\s*\)$)/u.exec(call);
  if (list === null) return [];
  return [...list[0].matchAll(/-?\d+/gu)].map(({ 0: text, index }) => {
    const at = from + list.index + index;
    return { size: Number(text), span: { from: at, to: at + text.length } };
  });
}

/**
 * Fixes that change one size, at all its occurrences, to match the number of elements; sizes of
 * kept dims come last.
 */
function fittingSizes(
  before: readonly number[],
  after: readonly number[],
  written: ReturnType<typeof writtenSizes>,
): readonly Fix[] {
  if (written.map(({ size }) => size).join() !== after.join()) return [];
  const total = product(before);
  const sizes = [...new Set(after.filter((size, dim) => size !== before[dim]))];
  const fixes = sizes.flatMap((size): Fix[] => {
    const places = written.filter((each) => each.size === size);
    const rest = product(after) / size ** places.length;
    const wanted = Math.round((total / rest) ** (1 / places.length));
    if (wanted < 1 || wanted ** places.length * rest !== total) return [];
    const title = `Write ${wanted} for ${size}`;
    return [{ title, edits: places.flatMap(({ span }) => writing(span, String(wanted)).edits) }];
  });
  return fixes.slice(0, 3);
}

/** Text of a product of sizes: `8 × 16 = 128`. */
function written(shape: readonly number[]): string {
  return shape.length < 2 ? String(product(shape)) : `${shape.join(" × ")} = ${product(shape)}`;
}
