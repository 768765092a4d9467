import { useMemo, useState } from "react";
import {
  imageNote,
  imagesOf,
  type OperandImage,
  type ProjectionSpace,
  rangeText,
  type SharedCells,
  type SpaceOperand,
  sharedCellsOf,
  wholeOf,
} from "#app/scene/index-space";
import type { Box } from "#core/indexspace";
import { useApp } from "../store-context.tsx";
import { IndexPlane } from "./IndexPlane.tsx";
import { ShardRow } from "./ShardRow.tsx";
import { ShardTable } from "./ShardTable.tsx";
import { TensorPlane } from "./TensorPlane.tsx";

/** The window and its images, side by side; the cell under the pointer is outlined in each. */
export function ProjectionView({ space }: { readonly space: ProjectionSpace }) {
  const pinned = useApp((state) => state.pinnedDevice);
  const [window, setWindow] = useState(() => firstWindow(space, pinned));
  const [hovered, setHovered] = useState<Box>();
  const images = useMemo(() => imagesOf(space, window), [space, window]);
  const hints = useMemo(
    () => (hovered === undefined ? undefined : imagesOf(space, hovered)),
    [space, hovered],
  );
  const shared = useMemo(() => sharedCellsOf(space), [space]);
  return (
    <>
      <div className="space-body">
        <figure className="space-fig">
          <figcaption>
            <b>Index of {space.call}</b>
            <span className="mono" data-testid="projection-window" data-range={rangeText(window)}>
              {axesText(space, window)}
            </span>
          </figcaption>
          <IndexPlane {...{ space, window, hovered }} onWindow={setWindow} onHover={setHovered} />
          <p className="mut space-keys">
            Drag the window or draw another; arrows move it, Shift and arrows resize it, Home takes
            the whole.
          </p>
          <ShardRow
            shards={space.shards}
            window={window}
            onChoose={setWindow}
            onHover={setHovered}
          />
        </figure>
        <ul className="space-tensors" aria-label="Cells that the window touches">
          {space.operands.map((operand, at) => (
            <Tensor
              key={keyOf(space, at)}
              operand={operand}
              image={images[at]}
              hint={hints?.[at]}
              shared={shared[at]}
            />
          ))}
        </ul>
      </div>
      <ShardTable space={space} />
    </>
  );
}

interface TensorProps {
  readonly operand: SpaceOperand;
  readonly image: OperandImage | undefined;
  readonly hint: OperandImage | undefined;
  readonly shared: SharedCells | undefined;
}

function Tensor({ operand, image, hint, shared }: TensorProps) {
  if (image === undefined) return null;
  const halos = shared?.boxes.length ?? 0;
  return (
    <li className="space-fig">
      <div className="space-cap">
        <b>{operand.name}</b>
        <span className="mut">{operand.side === "input" ? "read" : "written"}</span>
        <span
          className="mono"
          data-testid={`projection-${operand.name}`}
          data-range={rangeText(image.box)}
        >
          {rangeText(image.box)}
        </span>
      </div>
      <TensorPlane operand={operand} image={image} hint={hint} shared={shared} />
      <p className="mut">
        {imageNote(image, operand)}
        {halos > 0 && "; hatched cells are held by several devices"}
      </p>
    </li>
  );
}

/** The first window: the part of the pinned device, or of the first. */
function firstWindow({ shards, axes }: ProjectionSpace, pinned: number | undefined): Box {
  const part = shards.find(({ device }) => device === pinned) ?? shards[0];
  if (part !== undefined && shards.length > 1) return part.box;
  return wholeOf(axes).map(({ start, stop }) => ({
    start,
    stop: start + Math.max(1, Math.ceil((stop - start) / 2)),
  }));
}

function axesText({ axes }: ProjectionSpace, window: Box): string {
  if (axes.length === 0) return "one point";
  return axes
    .map(({ name }, axis) => {
      const { start = 0, stop = 0 } = window[axis] ?? {};
      return `${name} ${stop - start === 1 ? start : `${start}…${stop - 1}`}`;
    })
    .join(", ");
}

function keyOf({ operands }: ProjectionSpace, at: number): string {
  const { name, side } = operands[at] ?? {};
  const before = operands.slice(0, at).filter((each) => each.name === name && each.side === side);
  return `${side} ${name} ${before.length}`;
}
