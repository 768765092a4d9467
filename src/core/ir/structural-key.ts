import type { Attributes } from "./attributes.ts";
import type { Operator, Tensor, TensorId } from "./graph.ts";

/**
 * A key of an operator, equal only for operators that differ in nothing but the tensors they read
 * and make, as in the layers of a model. They run the same work and have the same derivatives.
 * Lists that such operators share are recognised as objects, so they are not read again.
 */
export function createStructuralKey(
  tensorOf: (id: TensorId) => Pick<Tensor, "shape" | "dtype"> | undefined,
): (operator: Operator) => string {
  const numbers = new Map<object, number>();
  const numberOf = (part: object) => {
    const known = numbers.get(part) ?? numbers.size;
    numbers.set(part, known);
    return known;
  };
  const operandText = ({ tensor, dims }: Operator["inputs"][number]) => {
    const about = tensorOf(tensor);
    return ` ${numberOf(dims)}:${about?.dtype}:${about?.shape}`;
  };
  return ({ entry, op, annotation, axes, inputs, outputs, attributes, body, points }) => {
    let text = `${entry ?? `"${op}`} ${numberOf(annotation)} ${numberOf(axes)}`;
    for (const part of [body, points]) if (part !== undefined) text += ` (${numberOf(part)})`;
    for (const operand of inputs) text += operandText(operand);
    text += " ->";
    for (const operand of outputs) text += operandText(operand);
    return text + attributesText(attributes);
  };
}

/** Text of attributes that distinguishes infinities and minus zero. */
function attributesText(attributes: Attributes): string {
  let text = "";
  for (const [name, value] of Object.entries(attributes))
    text += ` ${name}=${typeof value === "number" ? numberText(value) : JSON.stringify(value)}`;
  return text;
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
