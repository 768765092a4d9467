import type { DType, Operator, Tensor } from "#core/ir";
import { type Layout, wholeLayout } from "#core/mesh";
import type { SpmdProgram, ValueId } from "#core/program";
import { ForwardProgram, type MeshAtoms, NotWritten, roleOf } from "#systems/arrays";
import { PythonNames } from "#systems/arrays/python";
import type { CellPrimitive } from "./cell-primitive.ts";
import { primitiveOf } from "./primitives.ts";
import { type CellStrategy, strategyOf } from "./strategy.ts";

/** A tensor of a cell: an input, a parameter, or a result. */
export interface CellTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly role: "input" | "parameter" | "activation";
  /** The constant value of a parameter that only MindSpore needs; it is not trained. */
  readonly filled?: "ones" | "zeros";
  /** The plan's layout at the tensor's producer. */
  readonly layout: Layout;
}

/** One call of a primitive. */
export interface CellCall {
  readonly operator: Operator;
  readonly primitive: CellPrimitive;
  readonly operands: readonly CellTensor[];
  readonly result: CellTensor;
  readonly strategy: CellStrategy;
}

/** The forward program of a plan as one MindSpore cell. */
export interface Cell {
  readonly mesh: MeshAtoms;
  readonly devices: number;
  readonly tensors: readonly CellTensor[];
  readonly calls: readonly CellCall[];
  /** Results that no call reads. */
  readonly results: readonly CellTensor[];
  /** Differences between the cell and the plan, as sentences without a full stop. */
  readonly differs: readonly string[];
}

/**
 * The forward operators of a program as calls of primitives, each with its strategy in the plan.
 *
 * @throws NotWritten if MindSpore 2.10 cannot express one of them
 */
export function cellOf(program: SpmdProgram): Cell {
  return new CellBuilder(program).cell();
}

class CellBuilder {
  private readonly forward: ForwardProgram;
  private readonly names = new PythonNames(reservedNames);
  private readonly tensors = new Map<string, CellTensor>();
  private readonly differs = new Set<string>();

  constructor(program: SpmdProgram) {
    this.forward = new ForwardProgram(program);
  }

  cell(): Cell {
    const { mesh, program } = this.forward;
    const calls = this.forward.operators().map((operator) => this.call(operator));
    const read = new Set(calls.flatMap(({ operands }) => operands));
    return {
      mesh,
      devices: program.devices.length,
      tensors: [...this.tensors.values()],
      calls,
      results: calls.map(({ result }) => result).filter((result) => !read.has(result)),
      differs: [...this.differs],
    };
  }

  private call(operator: Operator): CellCall {
    const { mesh, program } = this.forward;
    const step = this.forward.stepOf(operator);
    if (operator.outputs.length > 1) throw new NotWritten(`${operator.name} has several results`);
    const layouts = step.inputs.map((id, at) => this.layoutRead(operator, id, at));
    const ranks = layouts.map(({ dims }) => dims.length);
    const primitive = primitiveOf(operator, ranks);
    if (primitive.differs !== undefined) this.differs.add(primitive.differs);
    if (operator.entry === undefined) this.differs.add(`${operator.op} is taken as a product`);
    const operands = primitive.operands.map((operand) =>
      operand.kind === "input"
        ? this.tensor(operator.inputs[operand.at]?.tensor)
        : this.filled(operator, operand, layouts[0]),
    );
    const laid = primitive.operands.map((operand, at) =>
      operand.kind === "input" ? layouts[operand.at] : operands[at]?.layout,
    );
    const result = this.tensor(operator.outputs[0]?.tensor);
    const found = strategyOf({
      ...{ operator, primitive, operands, result, program, mesh },
      layouts: laid.filter((layout) => layout !== undefined),
      devices: program.devices.length,
      made: this.forward.valueOf(step.outputs[0]),
    });
    for (const each of found.differs) this.differs.add(each);
    return { operator, primitive, operands, result, strategy: found.strategy };
  }

  private layoutRead(operator: Operator, id: ValueId, at: number): Layout {
    return this.forward.layoutRead(operator, id, at, (name) =>
      this.differs.add(
        `${name} is added up where it is made, and ${operator.name} takes it whole: MindSpore has no partial tensors`,
      ),
    );
  }

  private tensor(id: Tensor["id"] | undefined): CellTensor {
    const tensor = this.forward.tensorOf(id);
    const known = this.tensors.get(tensor.id);
    if (known !== undefined) return known;
    const made: CellTensor = {
      name: this.names.fresh(tensor.name),
      ...{ shape: tensor.shape, dtype: tensor.dtype },
      role: roleOf(tensor),
      layout: this.forward.valueOf(this.forward.program.made.get(tensor.id)).layout,
    };
    this.tensors.set(tensor.id, made);
    return made;
  }

  /**
   * A weight that the text leaves out but MindSpore's norm requires: constant and whole on every
   * device.
   */
  private filled(
    operator: Operator,
    { name, value }: { readonly name: string; readonly value: "ones" | "zeros" },
    like: Layout | undefined,
  ): CellTensor {
    const x = this.tensor(operator.inputs[0]?.tensor);
    const from = operator.inputs[1] === undefined ? x.shape.slice(-1) : undefined;
    const shape = from ?? this.tensor(operator.inputs[1]?.tensor).shape;
    if (like === undefined) throw new NotWritten(`${operator.name} reads nothing`);
    const made: CellTensor = {
      name: this.names.fresh(`${x.name}_${name}`),
      ...{ shape, dtype: x.dtype, filled: value },
      role: "parameter",
      layout: wholeLayout(like.mesh, shape),
    };
    this.tensors.set(made.name, made);
    return made;
  }
}

/** Names that the written file itself uses, and attributes of every `nn.Cell`. */
const reservedNames: readonly string[] = [
  ..."np ms nn ops init initializer AutoParallel Layout Parameter Tensor layout Plan net self".split(
    " ",
  ),
  ..."INPUTS SHAPES MatMulExt SiLU super print range isinstance main random".split(" "),
  ..."apply buffers cells compile compiled construct offload phase recompute shard to".split(" "),
  ..."add_flags bprop_debug cast_inputs check_names cls_name compile_cache create_time".split(" "),
  ..."get_inputs get_parameters get_scope param_prefix parameters_dict phase_cache".split(" "),
  ..."pipeline_stage run_construct set_grad set_inputs set_train state_dict training".split(" "),
];
