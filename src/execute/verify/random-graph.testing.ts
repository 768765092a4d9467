import {
  bindCall,
  type CallShapes,
  type Graph,
  linearGroups,
  type Operator,
  operatorId,
  type Tensor,
  tensorId,
} from "#core/ir";
import { entryNamed } from "../reference/operator.testing.ts";

/** Draws from a seed. */
export interface Dice {
  below(count: number): number;
  pick<T>(list: readonly T[]): T;
}

/** Dice by a linear congruential generator (Numerical Recipes' constants), high bits only. */
export function diceOf(seed: number): Dice {
  let state = (seed * 2654435761 + 1) >>> 0;
  const below = (count: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const pick = <T>(list: readonly T[]): T => {
    const item = list[below(list.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  return { below, pick };
}

/** Adds tensors and calls of library operators to a graph. */
export class Builder {
  readonly tensors: Tensor[] = [];
  readonly operators: Operator[] = [];
  private readonly dice: Dice;

  constructor(dice: Dice) {
    this.dice = dice;
  }

  leaf(role: "input" | "parameter", shape: readonly number[]): Tensor {
    return this.add(`${role[0]}${this.tensors.length}`, role, shape);
  }

  /** An earlier tensor of a rank, or a new input. */
  some(rank: number): Tensor {
    const fitting = this.tensors.filter(
      ({ shape, role }) => shape.length === rank && role !== "parameter",
    );
    const shape = () => Array.from({ length: rank }, () => this.dice.pick(sizes));
    return fitting.length > 0 && this.dice.below(5) > 0
      ? this.dice.pick(fitting.slice(-3))
      : this.leaf("input", shape());
  }

  /** Adds a call and returns its first result. */
  call(
    name: string,
    operands: readonly Tensor[],
    attributes: CallShapes["attributes"] = {},
  ): Tensor {
    const entry = entryNamed(name);
    const inputs = operands.map(({ shape }) => shape);
    const bound = bindCall(entry, { inputs, attributes });
    if (!bound.ok) throw new Error(`${name}: ${bound.diagnostics[0]?.message}`);
    const { call, bound: binding } = bound.value;
    const id = operatorId(`o${this.operators.length}`);
    const outputs = call.outputs.map(({ shape, dims }) => {
      const tensor = this.add(`t${this.tensors.length}`, "activation", shape, id);
      return { tensor: tensor.id, dims };
    });
    this.operators.push({
      id,
      name: id,
      op: name,
      entry: name,
      attributes,
      call: `${name}(${operands.map((operand) => operand.name).join(", ")})`,
      annotation: binding.annotation,
      axes: call.axes,
      inputs: operands.map(({ id: tensor }, at) => ({ tensor, dims: call.inputs[at]?.dims ?? [] })),
      outputs,
      linear: linearGroups(entry, inputs),
      ...(entry.combine !== undefined && { combine: entry.combine }),
      reducesInside: this.dice.below(6) === 0,
    });
    const first = this.tensors.find(({ id: tensor }) => tensor === outputs[0]?.tensor);
    if (first === undefined) throw new Error(`${name} without a result`);
    return first;
  }

  /**
   * Adds the loss: one number from all results that depend on a parameter; if there is none, one is
   * made first.
   */
  sumOfResults(): void {
    const x = this.some(2);
    this.call("matmul", [x, this.leaf("parameter", [last(x.shape), 4])]);
    const sums = this.results().map((result) =>
      this.call("sum", [result], { dim: result.shape.map((_, dim) => dim) }),
    );
    sums.reduce((sum, each) => this.call("add", [sum, each]));
  }

  graph(): Graph {
    const outputs = this.results().map(({ id }) => id);
    return { tensors: this.tensors, operators: this.operators, outputs };
  }

  private results(): readonly Tensor[] {
    const read = new Set(this.operators.flatMap(({ inputs }) => inputs.map((each) => each.tensor)));
    return this.tensors.filter(({ id, producer }) => producer !== undefined && !read.has(id));
  }

  private add(
    name: string,
    role: Tensor["role"],
    shape: readonly number[],
    producer?: Tensor["producer"],
  ): Tensor {
    const tensor: Tensor = {
      id: tensorId(name),
      name,
      shape,
      dtype: "f32",
      dtypeText: "f32",
      role,
      dimNames: shape.map((_, dim) => `d${dim}`),
      shapeStatus: "set",
      ...(producer !== undefined && { producer }),
    };
    this.tensors.push(tensor);
    return tensor;
  }
}

const sizes = [4, 4, 8, 8, 6, 5];

type Move = (build: Builder, dice: Dice) => unknown;

function last(shape: readonly number[]): number {
  return shape.at(-1) ?? 1;
}

/** Moves that each add one operator to the present tensors; repeated ones come more often. */
const moves: readonly Move[] = [
  (build, dice) => {
    const x = build.some(2);
    build.call("matmul", [x, build.leaf("parameter", [last(x.shape), dice.pick(sizes)])]);
  },
  (build, dice) => {
    const x = build.some(dice.pick([2, 3]));
    build.call("linear", [x, build.leaf("parameter", [dice.pick(sizes), last(x.shape)])]);
  },
  // A sum, and an operator that is linear in it: a partial may pass.
  (build, dice) => {
    const x = build.some(2);
    const y = build.call("matmul", [x, build.leaf("parameter", [last(x.shape), 4])]);
    if (dice.below(2) === 0) build.call("mul", [y, build.leaf("input", y.shape)]);
    else build.call(dice.pick(["neg", "transpose", "identity"]), [y]);
  },
  (build) => {
    const [x, z] = [build.some(2), build.leaf("input", [4, 8])];
    const y = build.call("matmul", [x, build.leaf("parameter", [last(x.shape), 4])]);
    const other = build.call("matmul", [z, build.leaf("parameter", [8, 4])]);
    if (String(y.shape) === String(other.shape)) build.call("add", [y, other]);
  },
  (build, dice) => {
    const x = build.some(2);
    const width = dice.pick(sizes);
    const weight = build.leaf("parameter", [width, last(x.shape)]);
    build.call("linear", [x, weight, build.leaf("parameter", [width])]);
  },
  (build, dice) => {
    const x = build.some(dice.pick([2, 3]));
    build.call(dice.pick(["add", "mul", "sub"]), [x, build.leaf("input", x.shape)]);
  },
  (build, dice) => {
    const x = build.some(dice.pick([2, 3]));
    build.call(dice.pick(["add", "mul"]), [x, build.leaf("parameter", [1, last(x.shape)])]);
  },
  (build, dice) => build.call(dice.pick(["gelu", "relu", "tanh"]), [build.some(dice.pick([2, 3]))]),
  (build, dice) => build.call("softmax", [build.some(2)], { dim: dice.below(2) }),
  (build) => {
    const x = build.some(2);
    build.call("layer_norm", [x, build.leaf("parameter", [last(x.shape)])]);
  },
  (build, dice) => {
    const x = build.some(dice.pick([2, 3]));
    build.call("sum", [x], { dim: [dice.below(x.shape.length)], keepdim: true });
  },
  (build, dice) => build.call("transpose", [build.some(dice.pick([2, 3]))]),
  (build) => {
    const { shape, ...x } = build.some(3);
    const [a = 1, b = 1, c = 1] = shape;
    build.call("reshape", [{ ...x, shape }], { shape: [a, b * c] });
  },
  (build) => {
    const ids = build.leaf("input", [4, 4]);
    build.call("embedding", [ids, build.leaf("parameter", [16, 4])]);
  },
  (build, dice) => {
    const x = build.some(2);
    build.call("concat", [x, build.leaf("input", x.shape)], { dim: dice.below(2) });
  },
  // A tensor with several readers, and results that nobody reads.
  (build, dice) => {
    const x = build.some(2);
    const y = build.call("matmul", [x, build.leaf("parameter", [last(x.shape), 8])]);
    build.call("mul", [y, build.call(dice.pick(["relu", "neg"]), [y])]);
    build.call("split", [y], { split_size: 4, dim: 1 });
  },
  (build) => {
    const w = build.leaf("parameter", [8, 8]);
    const x = build.leaf("input", [4, 8]);
    build.call("matmul", [build.call("matmul", [x, w]), w]);
  },
  (build) => build.call("cumsum", [build.some(2)], { dim: 0 }),
  (build) => {
    const x = build.some(3);
    const [batch = 1, rows = 1, width = 1] = x.shape;
    const key = build.leaf("input", [batch, rows, width]);
    build.call("attention", [x, key, build.leaf("input", [batch, rows, 4])], { is_causal: true });
  },
];

/** A graph of two to five operators drawn one after another; with a loss, one number at its end. */
export function randomGraph(dice: Dice, hasLoss: boolean): Graph {
  const build = new Builder(dice);
  const length = 2 + dice.below(4);
  for (let at = 0; at < length; at += 1) dice.pick(moves)(build, dice);
  if (hasLoss) build.sumOfResults();
  return build.graph();
}
