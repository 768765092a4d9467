import type { Bound, OpAnno } from "#core/dimops";
import type { TracedOperator } from "#language/document/trace";

/**
 * Index of the first input's dim that nnScaler's annotation freezes but the library's does not: the
 * channels of `nn.InstanceNorm2d`, `n c^ h^ w^` (its `graph/function/wrapnn.py`, release 0.8).
 */
const frozenDims: Readonly<Record<string, number>> = { instance_norm: 1 };

/**
 * The bound call of an operator with the identifiers frozen that nnScaler's own annotation freezes.
 */
export function boundThere({ op }: TracedOperator, bound: Bound): Bound {
  const dim = frozenDims[op];
  const [found] =
    (dim === undefined ? undefined : bound.annotation.inputs[0]?.dims[dim])?.identifiers ?? [];
  if (found === undefined) return bound;
  const frozen = (annotation: OpAnno) => withFrozen(annotation, found.name);
  const { annotation, candidates } = bound;
  return { ...bound, annotation: frozen(annotation), candidates: candidates.map(frozen) };
}

function withFrozen({ inputs, outputs }: OpAnno, name: string): OpAnno {
  const side = (shapes: OpAnno["inputs"]) =>
    shapes.map((shape) => ({
      ...shape,
      dims: shape.dims.map((dim) => ({
        ...dim,
        identifiers: dim.identifiers.map((each) =>
          each.name === name ? ({ ...each, reduction: "^" } as const) : each,
        ),
      })),
    }));
  return { inputs: side(inputs), outputs: side(outputs) };
}
