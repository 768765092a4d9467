import { type AppState, isWrittenTensor, selectedTensor } from "#app/state";
import type { Tensor } from "#core/ir";
import { useDimTarget } from "../gesture/use-dim-target.ts";
import { type NamedDim, namedDims } from "../side/named-dims.ts";
import { useApp, useShared } from "../store-context.tsx";

/** Dims of a tensor as drop targets over its drawing, while an axis is armed or dragged. */
export function DimZones({ tensor }: { readonly tensor: Tensor }) {
  const isOn = useShared(isAiming);
  const isFixed = useShared(({ drawing }) => drawing && !isWrittenTensor(drawing.drawn, tensor.id));
  return isOn && !isFixed && tensor.shape.length > 0 ? <Zones tensor={tensor} /> : null;
}

const isAiming = ({ armedAxis, drag }: AppState) => armedAxis !== undefined || drag !== undefined;

function Zones({ tensor }: { readonly tensor: Tensor }) {
  const isInspected = useApp(
    (state) => !state.isRunShown && selectedTensor(state)?.id === tensor.id,
  );
  return (
    <div className="zones">
      {namedDims(tensor).map((dim) => (
        <Zone key={dim.dim} tensor={tensor} named={dim} isMarked={!isInspected} />
      ))}
    </div>
  );
}

interface ZoneProps {
  readonly tensor: Tensor;
  readonly named: NamedDim;
  /** Whether the zones carry the test id; for the inspected tensor the inspector does. */
  readonly isMarked: boolean;
}

function Zone({ tensor, named, isMarked }: ZoneProps) {
  const { className, handlers } = useDimTarget({ tensor: tensor.id, dim: named.dim });
  return (
    <button
      type="button"
      tabIndex={-1}
      className={`target ${className}`}
      data-testid={isMarked ? `dim-${tensor.name}-${named.dim}` : undefined}
      {...handlers}
    >
      <b>
        {tensor.name}.{named.name}
      </b>
      <span>{named.size}</span>
    </button>
  );
}
