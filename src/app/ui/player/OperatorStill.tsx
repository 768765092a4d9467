import { memo } from "react";
import type { OperatorFrame } from "#app/scene/player";
import type { Compiled } from "#compile";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { OperatorDrawing } from "../drawing/FrameDrawing.tsx";
import { HeldTable } from "./HeldTable.tsx";
import type { Player } from "./use-player.ts";

/** Name of the operator, the axes that cut it, and its phase in a training step. */
export function OperatorName({ operator }: { readonly operator: OperatorFrame }) {
  const { name, call, op, phase, cuts } = operator;
  // A gradient's call uses names that no card shows.
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
  /** Number of equal blocks that contain the operator. */
  readonly count: number;
  /** Number of microbatches; 1 for operators that run once. */
  readonly microbatches: number;
}

/** Drawing of the blocks that each device reads and makes. */
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

/** Operator's work in words, and the tensors that the devices hold meanwhile. */
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
