import { useId, useMemo } from "react";
import {
  boxRects,
  drawingOf,
  type OperandImage,
  rectsOf,
  type SharedCells,
  type SpaceOperand,
} from "#app/scene/index-space";
import { Rects, SpacePaper } from "./SpaceMarks.tsx";

const size = { width: 200, height: 150 };

interface Props {
  readonly operand: SpaceOperand;
  readonly image: OperandImage;
  readonly hint: OperandImage | undefined;
  readonly shared: SharedCells | undefined;
}

/**
 * A tensor with the cells that the window touches filled, halos hatched, and the images of the
 * pointed cell outlined.
 */
export function TensorPlane({ operand, image, hint, shared }: Props) {
  const hatch = useId();
  const drawing = useMemo(() => drawingOf(operand.dims, size), [operand]);
  const halos = useMemo(
    () => shared?.boxes.flatMap((box) => boxRects(drawing, box)) ?? [],
    [shared, drawing],
  );
  const { width, height } = drawing.size;
  return (
    <svg
      className="space-svg"
      viewBox={`-2 -2 ${width + 4} ${height + 4}`}
      width={width + 4}
      height={height + 4}
      aria-hidden="true"
    >
      <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse">
        <path className="sp-hatch" d="M-1 1l2 -2M0 5l5 -5M4 6l2 -2" />
      </pattern>
      <SpacePaper drawing={drawing} />
      <Rects className="sp-touched" rects={rectsOf(drawing, image.runs)} />
      <g fill={`url(#${hatch})`}>
        <Rects className="sp-halo" rects={halos} />
      </g>
      <Rects className="sp-box" rects={boxRects(drawing, image.box)} />
      {hint !== undefined && <Rects className="sp-hint" rects={boxRects(drawing, hint.box)} />}
    </svg>
  );
}
