import { type Compiled, shownLayout } from "#compile";
import type { Tensor, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { drawnIn } from "../glyph/drawn-dims.ts";
import { glyphOf } from "../glyph/glyph.ts";
import { tensorsOf, viewsOf } from "../graph/tensor-caption.ts";
import type { Size } from "../mark.ts";
import type { SvgColours } from "./svg-colours.ts";
import { marksSvg } from "./svg-marks.ts";
import { element, type SvgBody, short } from "./svg-writer.ts";

/** One tensor, large, with device ids and dim names; `undefined` if the plan has no such tensor. */
export function tensorBody(
  compiled: Compiled,
  id: TensorId,
  colours: SvgColours,
): SvgBody | undefined {
  const found = placed(compiled, id);
  if (found === undefined) return undefined;
  const { tensor, layout } = found;
  const drawn = drawnIn(compiled, tensor, layout);
  const glyph = glyphOf(drawn, { width: 280, height: 180 }, { showIds: true, showNames: true });
  return { width: glyph.width, height: glyph.height, marks: marksSvg(glyph.marks, colours) };
}

/** The room of a glyph: its left end, vertical middle and size. */
export interface GlyphRoom extends Size {
  readonly x: number;
  readonly middle: number;
}

/** The glyph of a tensor centred in its room, in `layout` or, by default, in the shown layout. */
export function glyphSvg(
  compiled: Compiled,
  id: TensorId,
  { x, middle, width, height }: GlyphRoom,
  colours: SvgColours,
  layout?: Layout,
): string {
  const found = placed(compiled, id);
  if (found === undefined) return "";
  const drawn = drawnIn(compiled, found.tensor, layout ?? found.layout);
  const glyph = glyphOf(drawn, { width, height });
  const [left, top] = [x + (width - glyph.width) / 2, middle - glyph.height / 2];
  const at = { transform: `translate(${short(left)} ${short(top)})` };
  return element("g", at, marksSvg(glyph.marks, colours));
}

function placed(
  { program, tensors }: Compiled,
  id: TensorId,
): { readonly tensor: Tensor; readonly layout: Layout } | undefined {
  const tensor = tensorsOf(program.graph).get(id);
  const view = viewsOf(tensors).get(id);
  if (tensor === undefined || view === undefined) return undefined;
  return { tensor, layout: shownLayout(view) };
}
