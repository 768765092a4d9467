import { type Compiled, shownLayout, type TensorView } from "#compile";
import type { Tensor, TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { drawnIn } from "../glyph/drawn-dims.ts";
import { glyphOf } from "../glyph/glyph.ts";
import type { CanvasNode } from "../graph/canvas.ts";
import type { Rect } from "../mark.ts";
import { labelOf } from "../text/label.ts";
import { heldWords, stateWord } from "../text/sentence.ts";
import { shapeWords } from "../text/shape-words.ts";
import type { SvgColours } from "./svg-colours.ts";
import { marksSvg, segmentsSvg } from "./svg-marks.ts";
import { element, escaped, monoFont, type SvgBody, short, uiFont } from "./svg-writer.ts";

const glyphWidth = 58;

/** One tensor, large, with device ids and the names of its dims. */
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

/** A tensor beside an operator: its glyph, then name, label and bytes below each other. */
export function tensorWords(
  compiled: Compiled,
  id: TensorId,
  room: Rect,
  colours: SvgColours,
): string {
  const found = placed(compiled, id);
  if (found === undefined) return "";
  const { tensor, layout, view } = found;
  const drawn = drawnIn(compiled, tensor, layout);
  const glyph = glyphOf(drawn, { width: glyphWidth, height: Math.min(50, room.height - 8) });
  const x = room.x + glyphWidth + 10;
  const left = room.x + (glyphWidth - glyph.width) / 2;
  const top = room.y + (room.height - glyph.height) / 2;
  const rows = room.height < 48 ? 2 : 3;
  const first = room.y + room.height / 2 - (rows === 2 ? 3 : 11);
  const mono = { "font-family": monoFont, "font-size": 11 };
  const name = { ...mono, "font-size": 12, "font-weight": 600, fill: colours.ink };
  const bytes = heldWords(tensor, layout);
  const state = stateWord(view);
  const about =
    rows === 2 ? `  ${tensor.role}, ${tensor.dtypeText} ${shapeWords(tensor)}` : ` ${state}`;
  const small = { "font-family": uiFont, "font-size": 11, fill: colours.ink3 };
  const aside =
    about.trim() === "" ? "" : element("tspan", { ...small, "font-weight": 400 }, escaped(about));
  return [
    element(
      "g",
      { transform: `translate(${short(left)} ${short(top)})` },
      marksSvg(glyph.marks, colours),
    ),
    element(
      "text",
      { x, y: first, ...name, "xml:space": "preserve" },
      escaped(tensor.name) + aside,
    ),
    element(
      "text",
      { x, y: first + 15, ...mono, fill: colours.ink2 },
      segmentsSvg(labelOf(layout, tensor.dimNames), colours) +
        (rows === 3 || state === "" ? "" : element("tspan", small, escaped(`, ${state}`))),
    ),
    rows === 2 ? "" : element("text", { x, y: first + 30, ...small }, escaped(bytes)),
  ].join("");
}

/** What an optimizer keeps: a small glyph with its name below. */
export function stateMarks(
  compiled: Compiled,
  { tensor: id, caption, x, y, width, height }: Extract<CanvasNode, { kind: "tensor" }>,
  colours: SvgColours,
): string {
  const found = placed(compiled, id);
  if (found === undefined) return "";
  const { tensor, layout } = found;
  const drawn = drawnIn(compiled, tensor, layout);
  const glyph = glyphOf(drawn, { width: width - 8, height: height - 20 });
  const at = `translate(${short(x + (width - glyph.width) / 2)} ${short(y)})`;
  const look = { "font-family": monoFont, "font-size": 11, "text-anchor": "middle" };
  return (
    element("g", { transform: at }, marksSvg(glyph.marks, colours)) +
    element(
      "text",
      { x: x + width / 2, y: y + height - 4, ...look, fill: colours.ink2 },
      escaped(caption.name),
    )
  );
}

function placed(
  { program, tensors }: Compiled,
  id: TensorId,
): { readonly tensor: Tensor; readonly layout: Layout; readonly view: TensorView } | undefined {
  const tensor = program.graph.tensors.find((each) => each.id === id);
  const view = tensors.find((each) => each.tensor === id);
  if (tensor === undefined || view === undefined) return undefined;
  return { tensor, layout: shownLayout(view), view };
}
