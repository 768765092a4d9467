import { memo } from "react";
import type { OperatorFrame } from "#app/scene/player";
import type { Compiled } from "#compile";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { OperatorDrawing } from "../drawing/FrameDrawing.tsx";
import { HeldTable } from "./HeldTable.tsx";
import type { Player } from "./use-player.ts";

/** The operator that runs, and the axes that cut it; in training also its pass. */
export function OperatorName({ operator }: { readonly operator: OperatorFrame }) {
  const { name, call, op, phase, cuts } = operator;
  // The call of a gradient names values that no card has, so only its kind is shown.
  const isGradient = phase === "backward";
  return (
    <>
      <h2 className="mono" title={operator.id}>
        {name}
      </h2>
      {cuts.flatMap(({ identifier, axes }) =>
        axes.map((tag) => <AxisChip key={`${identifier} ${tag.text}`} tag={tag} />),
      )}
      <span className="mut mono step-tensor" title={call}>
        {isGradient ? op : `= ${call}`}
      </span>
      {phase !== "forward" && <span className="tag">{phase}</span>}
    </>
  );
}

interface WordsProps {
  readonly compiled: Compiled;
  readonly operator: OperatorFrame;
  readonly place: Player["place"];
  /** The number of equal blocks to which it belongs. */
  readonly count: number;
  /** The number of micro-batches; 1 for operators that run once. */
  readonly microbatches: number;
}

/** The blocks that each device reads and produces. */
export function OperatorPicture({ operator }: { readonly operator: OperatorFrame }) {
  return (
    <>
      <OperatorDrawing frame={operator} />
      <p className="groups" title={operator.devicesText}>
        {operator.devicesText}
      </p>
    </>
  );
}

/** An operator's call in words, with the devices' blocks. */
export const OperatorWords = memo(function OperatorWords({
  compiled,
  operator,
  place,
  count,
  microbatches,
}: WordsProps) {
  return (
    <div className="why">
      <p className="caption" aria-live="polite">
        {operator.caption}
        {count > 1 && ` It runs ${count} times, once in each of ${count} equal blocks.`}
        {microbatches > 1 && ` All of this happens for each of ${microbatches} micro-batches.`}
      </p>
      {place !== undefined && <HeldTable compiled={compiled} place={place} />}
    </div>
  );
});
