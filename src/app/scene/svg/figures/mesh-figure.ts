import type { Compiled } from "#compile";
import { coordinatesOf, type DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";
import { cellMarks } from "../../glyph/cell-marks.ts";
import { hueOf } from "../../hue.ts";
import type { SvgColours } from "../svg-colours.ts";
import { marksSvg } from "../svg-marks.ts";
import type { SvgBody } from "../svg-writer.ts";
import { widthOf, wordsAt } from "./words.ts";

const cell = { width: 64, height: 40, gap: 6 };
const nameRoom = 18;
const blockGap = 14;
/** Most devices that are drawn individually. */
const mostDevices = 256;
const mostColumns = 16;

/**
 * The devices nested by mesh axes: the innermost axis runs across, the next one down, and each
 * further axis forms blocks around these. Of a large mesh only the first blocks are drawn.
 */
export function meshBody({ mesh: { mesh } }: Pick<Compiled, "mesh">, colours: SvgColours): SvgBody {
  const axes = mesh.axes.filter(({ size }) => size > 1);
  const across = axes.at(-1)?.size ?? 1;
  const down = axes.at(-2)?.size ?? 1;
  const perBlock = across * down;
  const blocks = Math.max(1, mesh.devices.length / perBlock);
  const shown = Math.max(1, Math.min(blocks, Math.floor(mostDevices / perBlock)));
  const columns = Math.min(across, mostColumns);
  const rows = Math.ceil(Math.min(perBlock, mostDevices) / columns);
  const size = {
    width: columns * (cell.width + cell.gap) - cell.gap,
    height: rows * (cell.height + cell.gap) - cell.gap,
  };
  const beside = Math.max(1, Math.floor(700 / (size.width + blockGap)));
  const isNamed = axes.length > 2;
  const pitch = size.height + blockGap + (isNamed ? nameRoom : 0);
  const marks = Array.from({ length: shown }, (_, block) => {
    const x = (block % beside) * (size.width + blockGap);
    const y = Math.floor(block / beside) * pitch + (isNamed ? nameRoom : 0);
    return [
      isNamed ? wordsAt(blockName(mesh, block * perBlock), x, y - 6, colours, { weight: 600 }) : "",
      ...Array.from({ length: Math.min(perBlock, mostDevices) }, (_, at) => {
        const column = at % columns;
        const row = Math.floor(at / columns);
        const place = {
          x: x + column * (cell.width + cell.gap),
          y: y + row * (cell.height + cell.gap),
        };
        return deviceSvg(mesh, block * perBlock + at, place, colours);
      }),
    ].join("");
  });
  const height = Math.ceil(shown / beside) * pitch - blockGap;
  const left = mesh.devices.length - shown * Math.min(perBlock, mostDevices);
  const rest = left > 0 ? `and ${left} more devices like these` : "";
  const width = Math.min(shown, beside) * (size.width + blockGap) - blockGap;
  return {
    width: Math.max(width, widthOf(rest)),
    height: height + (rest === "" ? 0 : 20),
    marks: marks.join("\n") + (rest === "" ? "" : wordsAt(rest, 0, height + 16, colours)),
  };
}

/** One device: the texture of its coordinate on the innermost axis, its id, and that coordinate. */
function deviceSvg(
  mesh: DeviceMesh,
  at: number,
  { x, y }: { readonly x: number; readonly y: number },
  colours: SvgColours,
): string {
  const inner = mesh.axes.findLast(({ size }) => size > 1);
  const own = coordinatesOf(mesh, at);
  const band = { x, y, width: cell.width, height: 12 };
  const fill =
    inner === undefined
      ? undefined
      : { hue: hueOf(mesh, inner.name), digit: fieldOf(own, inner.name) ?? 0, size: inner.size };
  const marks = marksSvg(
    [
      ...cellMarks(band, { fill, strips: [] }, { partialHues: [], hatch: undefined }),
      { kind: "rect", role: "outline", x, y, width: cell.width, height: cell.height },
    ],
    colours,
  );
  const place = inner === undefined ? "" : `${inner.name} ${fieldOf(own, inner.name) ?? 0}`;
  const id = String(mesh.devices[at] ?? at);
  const mono = { face: "mono" as const, size: 11 };
  return (
    marks +
    wordsAt(id, x + 6, y + 30, colours, { ...mono, weight: 600 }) +
    wordsAt(place, x + cell.width - 5, y + 30, colours, { ...mono, size: 10, anchor: "end" })
  );
}

/** The coordinates of a block on the outer axes: `pp 1, dp 0`. */
function blockName(mesh: DeviceMesh, at: number): string {
  const own = coordinatesOf(mesh, at);
  return mesh.axes
    .filter(({ size }) => size > 1)
    .slice(0, -2)
    .map(({ name }) => `${name} ${fieldOf(own, name) ?? 0}`)
    .join(", ");
}
