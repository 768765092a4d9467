import { hueOf } from "#app/scene";
import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";
import { useAxisDrag } from "../gesture/use-axis-drag.ts";
import { Word } from "../glossary/Word.tsx";
import { useAppStore } from "../store-context.tsx";

interface Props {
  readonly tensor: Tensor;
  readonly layout: Layout;
  /** Whether the tensor belongs to training, so that its layout is shown and not changed. */
  readonly isFixed: boolean;
}

/**
 * The axes over which a tensor's partial sums lie; dragging one to a dim adds the sums into its
 * blocks.
 */
export function SumRow({ tensor, layout, isFixed }: Props) {
  const axes = layout.partials.flatMap(({ part }) => (part.kind === "axis" ? [part] : []));
  const ways = axes.reduce((product, part) => product * part.size, 1);
  if (ways <= 1) return null;
  return (
    <div className="dim-row">
      <b>
        <Word term="Σ">Σ</Word>
      </b>
      <span />
      <span className="slot">
        {axes.map(({ axis }) =>
          isFixed ? (
            <span key={axis} className={`ax a${hueOf(layout.mesh, axis)}`}>
              {axis}
            </span>
          ) : (
            <SumChip key={axis} tensor={tensor} layout={layout} axis={axis} />
          ),
        )}
      </span>
      <span className="res">{ways} parts to add</span>
    </div>
  );
}

interface ChipProps extends Omit<Props, "isFixed"> {
  readonly axis: string;
}

function SumChip({ tensor, layout, axis }: ChipProps) {
  const store = useAppStore();
  const drag = useAxisDrag({ axis, sumOf: tensor.id }, () => {
    store.getState().select({ tensor: tensor.id });
    store.getState().choose({ tensor: tensor.id, dim: 0 });
  });
  return (
    <button
      type="button"
      className={`ax chip a${hueOf(layout.mesh, axis)}`}
      data-testid={`sum-${tensor.name}-${axis}`}
      title={`Drag ${axis} to a dim: the parts are added into its blocks. A press opens the choices of a dim`}
      aria-label={`Sum of ${tensor.name} over ${axis}: add its parts into blocks of a dim`}
      {...drag}
    >
      {axis}
    </button>
  );
}
