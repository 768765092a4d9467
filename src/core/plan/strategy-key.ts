import type { Operator, Tensor, TensorId } from "#core/ir";
import { createLayoutKeys, type Layout } from "#core/mesh";

/**
 * Texts for what decides the strategy of a free operator: its index axes, the projections of its
 * operands, their sizes and types, and how they lie. The layers of a model ask the same again and
 * again. Keys of different makers mean nothing to each other.
 *
 * @returns the key of an operator whose operands lie as given, by position
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
