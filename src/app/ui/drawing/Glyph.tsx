import { memo, useMemo } from "react";
import type { Mark, Rect, Size } from "#app/scene";
import type { DrawnTensor, GlyphOptions } from "#app/scene/glyph";
import { glyphOf } from "#app/scene/glyph";
import type { WrongDevices } from "#app/state/run";
import type { DeviceId } from "#core/mesh";
import { joinedMarks } from "./joined-marks.ts";
import { keyed } from "./keyed.ts";
import { MarkView } from "./MarkView.tsx";
import { WrongBlocks, wrongAreas } from "./WrongBlocks.tsx";

export interface GlyphProps {
  readonly tensor: DrawnTensor;
  readonly size: Size;
  readonly options?: GlyphOptions;
  /** The accessible name; without one the drawing is hidden from assistive technology. */
  readonly label?: string;
  /** The device whose parts are outlined while the rest steps back. */
  readonly lit?: DeviceId;
  /** Devices whose blocks the last run found wrong. */
  readonly wrong?: WrongDevices | undefined;
}

/** A tensor drawn as a whole; around a lit device's parts everything steps back to 35 %. */
export const Glyph = memo(function Glyph({ tensor, size, options, label, lit, wrong }: GlyphProps) {
  const { layout, shape, dimNames, orientation, unverified, halos } = tensor;
  const { width, height } = size;
  const { showIds = false, showNames = false } = options ?? {};
  const glyph = useMemo(
    () =>
      glyphOf(
        {
          ...{ layout, shape, dimNames, orientation },
          ...(unverified !== undefined && { unverified }),
          ...(halos !== undefined && { halos }),
        },
        { width, height },
        { showIds, showNames },
      ),
    [layout, shape, dimNames, orientation, unverified, halos, width, height, showIds, showNames],
  );
  // These elements stay the same while only the lit parts change, so that only the overlay is drawn
  // anew.
  const [base, names] = useMemo(() => {
    const isName = (mark: Mark) => mark.kind === "text" && mark.style === "name";
    const named = glyph.marks.filter(isName);
    const others = glyph.marks.filter((mark) => !isName(mark));
    return [<Marks key="base" marks={others} />, <Marks key="names" marks={named} />];
  }, [glyph]);
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
      {base}
      <WrongBlocks areas={wrongAreas(glyph, wrong)} />
      {litAreas.length > 0 && <path className="glyph-wash" d={washPath(glyph, litAreas)} />}
      {litAreas.map((area) => (
        <rect className="glyph-lit" key={`${area.x} ${area.y}`} {...area} />
      ))}
      {names}
    </svg>
  );
});

function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return keyed(joinedMarks(marks)).map(({ key, item }) => <MarkView key={key} mark={item} />);
}

/** The area of the drawing without the lit parts; the even-odd rule leaves those out. */
function washPath({ width, height }: Size, litAreas: readonly Rect[]): string {
  const boxes = [{ x: -1, y: -1, width: width + 2, height: height + 2 }, ...litAreas];
  return boxes
    .map((box) => `M${box.x} ${box.y}h${box.width}v${box.height}h${-box.width}Z`)
    .join("");
}
