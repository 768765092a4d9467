import {
  type BoundCall,
  callOf,
  createStructuralKey,
  type Gradient,
  gradientOf,
  type Operator,
  type Tensor,
  type TensorId,
} from "#core/ir";

/** An operator's call and the gradients of its operands, which refer to operands by position. */
interface Derived {
  readonly call: BoundCall;
  /** For each operand of the operator, its parameter in the library entry. */
  readonly positions: readonly number[];
  /** The gradients by parameter of the entry. */
  readonly gradients: readonly Gradient[];
}

/**
 * The derivatives of a graph's operators. The layers of a model are equal but for the tensors that
 * they read and make, so each is derived once, and facts about a gradient's step can be remembered
 * by the step's identity.
 */
export class EqualOperators {
  private readonly tensorOf: (id: TensorId) => Tensor;
  private readonly likenessOf: (operator: Operator) => string;
  private readonly known = new Map<string, Derived>();

  constructor(tensorOf: (id: TensorId) => Tensor) {
    this.tensorOf = tensorOf;
    this.likenessOf = createStructuralKey(tensorOf);
  }

  derived(operator: Operator): Derived {
    const key = this.likenessOf(operator);
    const known = this.known.get(key) ?? this.derive(operator);
    this.known.set(key, known);
    return known;
  }

  private derive(operator: Operator): Derived {
    const call = callOf(operator, (id) => this.tensorOf(id).shape);
    const positions = call.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
    return { call, positions, gradients: gradientOf(operator, call) };
  }
}
