import type { DrawnTensor, GlyphOptions, Size } from "#app/scene";
import { glyphOf } from "#app/scene";
import type { DeviceId } from "#core/mesh";
import { keyed } from "./keyed.ts";
import { MarkView } from "./MarkView.tsx";

export interface GlyphProps {
  readonly tensor: DrawnTensor;
  readonly size: Size;
  readonly options?: GlyphOptions;
  /** The accessible name; without one the drawing is hidden from assistive technology. */
  readonly label?: string;
  /** The device whose parts are outlined while the rest steps back. */
  readonly lit?: DeviceId;
}

/** A tensor drawn as a whole. */
export function Glyph({ tensor, size, options, label, lit }: GlyphProps) {
  const glyph = glyphOf(tensor, size, options);
  const litAreas = glyph.cells
    .filter((cell) => lit !== undefined && cell.devices.includes(lit))
    .flatMap((cell) => cell.areas);
  return (
    <svg
      className="glyph"
      width={glyph.width + 2}
      height={glyph.height + 2}
      viewBox={`-1 -1 ${glyph.width + 2} ${glyph.height + 2}`}
      role={label === undefined ? undefined : "img"}
      aria-label={label}
      aria-hidden={label === undefined ? true : undefined}
    >
      <g opacity={litAreas.length > 0 ? 0.35 : undefined}>
        {keyed(glyph.marks).map(({ key, item }) => (
          <MarkView key={key} mark={item} />
        ))}
      </g>
      {litAreas.map((area) => (
        <rect className="glyph-lit" key={`${area.x} ${area.y}`} {...area} />
      ))}
    </svg>
  );
}
