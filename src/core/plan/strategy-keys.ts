import type { Operator, Tensor, TensorId } from "#core/ir";
import { createLayoutKeys, type Layout } from "#core/mesh";

/**
 * Keys for the inputs that decide the strategy of a free operator: its index axes, the projections
 * of its operands, their sizes, types and layouts. The layers of a model give the same keys. Keys
 * of two makers cannot be compared.
 *
 * @returns the key of an operator whose operands have the given layouts, by position
 */
export function createStrategyKeys(
  tensors: ReadonlyMap<TensorId, Tensor>,
): (operator: Operator, held: readonly (Layout | undefined)[]) => string {
  const keyOf = createLayoutKeys();
  const numbers = new Map<object, number>();
  const texts = new Map<string, number>();
  const numberOf = (part: object): number => {
    const known = numbers.get(part);
    if (known !== undefined) return known;
    const text = JSON.stringify(part);
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    numbers.set(part, number);
    return number;
  };
  return ({ axes, inputs, outputs }, held) => {
    let key = `${numberOf(axes)}`;
    for (const [index, { tensor, dims, projection }] of inputs.entries()) {
      const { shape, dtype } = tensors.get(tensor) ?? {};
      const layout = held[index];
      key += `;${numberOf(dims)} ${shape?.join()} ${dtype} ${layout && keyOf(layout)}`;
      if (projection !== undefined) key += ` ${numberOf(projection)}`;
    }
    for (const { dims, projection } of outputs) {
      key += `>${numberOf(dims)}`;
      if (projection !== undefined) key += ` ${numberOf(projection)}`;
    }
    return key;
  };
}
