import type { DrawnTensor } from "./glyph.ts";
import type { DeviceGlyphs, Size } from "./mark.ts";

/** The device view: one tile per device, drawn inside `tile` (the id below it not counted). */
export function deviceGlyphsOf(tensor: DrawnTensor, tile: Size): DeviceGlyphs {
  const tiles = tensor.layout.mesh.devices.map((device) => ({
    device,
    ...tile,
    marks: [{ kind: "rect" as const, role: "ghost" as const, x: 0, y: 0, ...tile }],
    areas: [],
  }));
  return { tile, tiles };
}
