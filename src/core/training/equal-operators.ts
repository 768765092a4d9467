import {
  type Attributes,
  type BoundCall,
  callOf,
  type Gradient,
  gradientOf,
  type Operator,
  type TensorId,
} from "#core/ir";

/** An operator's call and the gradients of its operands, which speak of operands by their places. */
export interface Derived {
  readonly call: BoundCall;
  /** By operand of the operator, the parameter of its entry. */
  readonly positions: readonly number[];
  /** By parameter of the entry. */
  readonly gradients: readonly Gradient[];
}

/**
 * The derivatives of a graph's operators. The layers of a model are equal but for the tensors that
 * they read and make, so each is derived once, and what follows from one step of a gradient can be
 * known by that step.
 */
export class EqualOperators {
  private readonly shapeOf: (tensor: TensorId) => readonly number[];
  private readonly known = new Map<string, Derived>();
  private readonly numbers = new Map<object, number>();

  constructor(shapeOf: (tensor: TensorId) => readonly number[]) {
    this.shapeOf = shapeOf;
  }

  derived(operator: Operator): Derived {
    const key = this.keyOf(operator);
    const known = this.known.get(key) ?? this.derive(operator);
    this.known.set(key, known);
    return known;
  }

  private derive(operator: Operator): Derived {
    const call = callOf(operator, this.shapeOf);
    const positions = call.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
    return { call, positions, gradients: gradientOf(operator, call) };
  }

  /** Equal only for operators of one call; lists that equal layers share are known by themselves. */
  private keyOf({ entry, op, annotation, axes, inputs, outputs, attributes }: Operator): string {
    let key = `${entry ?? `"${op}`} ${this.numberOf(annotation)} ${this.numberOf(axes)}`;
    for (const { tensor, dims } of inputs) key += ` ${this.numberOf(dims)}:${this.shapeOf(tensor)}`;
    key += " ->";
    for (const { tensor, dims } of outputs)
      key += ` ${this.numberOf(dims)}:${this.shapeOf(tensor)}`;
    return key + attributesText(attributes);
  }

  private numberOf(part: object): number {
    const known = this.numbers.get(part);
    if (known !== undefined) return known;
    this.numbers.set(part, this.numbers.size);
    return this.numbers.size - 1;
  }
}

/** Every value as it is, infinities and minus zero too. */
function attributesText(attributes: Attributes): string {
  let text = "";
  for (const [name, value] of Object.entries(attributes)) {
    const isNumber = typeof value === "number";
    text += ` ${name}=${isNumber ? numberText(value) : JSON.stringify(value)}`;
  }
  return text;
}

function numberText(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
