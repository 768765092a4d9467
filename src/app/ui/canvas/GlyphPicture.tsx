import { useContext, useEffect, useMemo, useRef } from "react";
import type { Size } from "#app/scene";
import { type DrawnTensor, glyphOf } from "#app/scene/glyph";
import type { WrongDevices } from "#app/state/run";
import type { DeviceId } from "#core/mesh";
import { WrongBlocks, wrongAreas } from "../drawing/WrongBlocks.tsx";
import { useResolvedTheme } from "../theme.ts";
import { type GlyphBitmap, GlyphBitmapsContext } from "./glyph-bitmaps.ts";

interface Props {
  readonly tensor: DrawnTensor;
  readonly size: Size;
  readonly lit: DeviceId | undefined;
  /** Devices whose blocks were wrong in the last run. */
  readonly wrong?: WrongDevices | undefined;
}

/** Tensor of many blocks as a bitmap that is painted once; highlights are drawn above it. */
export function GlyphPicture({ tensor, size, lit, wrong }: Props) {
  const bitmaps = useContext(GlyphBitmapsContext);
  const theme = useResolvedTheme();
  const bitmap = useMemo(() => bitmaps.of(tensor, size, theme), [bitmaps, tensor, size, theme]);
  if (bitmap === undefined) return null;
  return (
    <span className="glyph glyph-picture" aria-hidden="true">
      {bitmap.address === undefined ? (
        <Painted {...bitmap} />
      ) : (
        <img
          src={bitmap.address}
          style={{ width: bitmap.width, height: bitmap.height }}
          alt=""
          decoding="sync"
          draggable={false}
        />
      )}
      {wrong !== undefined && <Wrong tensor={tensor} size={size} wrong={wrong} />}
      {lit !== undefined && <Lit tensor={tensor} size={size} lit={lit} />}
    </span>
  );
}

function Painted({ image, width, height }: GlyphBitmap) {
  const ref = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = ref;
    if (current === null) return;
    current.width = image.width;
    current.height = image.height;
    current.getContext("2d")?.drawImage(image, 0, 0);
  }, [image]);
  return <canvas ref={ref} style={{ width, height }} />;
}

/** Overlay of the wrong blocks. */
function Wrong({ tensor, size, wrong }: Pick<Props, "tensor" | "size" | "wrong">) {
  const glyph = useMemo(() => glyphOf(tensor, size), [tensor, size]);
  return (
    <svg viewBox={`-1 -1 ${glyph.width + 2} ${glyph.height + 2}`} aria-hidden="true">
      <WrongBlocks areas={wrongAreas(glyph, wrong)} />
    </svg>
  );
}

/** Overlay that fades all blocks but those of one device. */
function Lit({ tensor, size, lit }: Pick<Props, "tensor" | "size"> & { readonly lit: DeviceId }) {
  const glyph = useMemo(() => glyphOf(tensor, size), [tensor, size]);
  const areas = glyph.cells.flatMap((cell) => (cell.devices.includes(lit) ? cell.areas : []));
  if (areas.length === 0) return null;
  const { width, height } = glyph;
  const wash = [{ x: -1, y: -1, width: width + 2, height: height + 2 }, ...areas]
    .map((box) => `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}Z`)
    .join("");
  return (
    <svg viewBox={`-1 -1 ${width + 2} ${height + 2}`} aria-hidden="true">
      <path className="glyph-wash" d={wash} />
      {areas.map((area) => (
        <rect className="glyph-lit" key={`${area.x} ${area.y}`} {...area} />
      ))}
    </svg>
  );
}
