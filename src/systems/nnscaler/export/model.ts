import type { DType, Operator, Tensor } from "#core/ir";
import { type Layout, localShape } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import type { LocalStep, SpmdProgram, ValueId } from "#core/program";
import {
  ForwardProgram,
  isCutFurther,
  type MeshAtoms,
  meshOf,
  NotWritten,
  roleOf,
} from "#systems/arrays";
import { PythonNames } from "#systems/arrays/python";
import type { TextModel } from "../text-model.ts";
import { type ModelFunction, ModelFunctions } from "./functions.ts";
import { type CutLevel, levelsOf, mixedWeights } from "./levels.ts";

/** A tensor of a model: an input, a weight, or a result of an operator. */
export interface ModelTensor {
  readonly id: Tensor["id"];
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: DType;
  readonly role: "input" | "parameter" | "activation";
  /** For a weight: the layout in which devices keep it. */
  readonly kept?: Layout;
}

/**
 * Weights that some operator, both cut and replicated, reads whole; the policy calls
 * `graph.multiref` for them.
 */
export type SharedWeights = ReadonlySet<Tensor["id"]>;

/** One call of an operator's function. */
export interface ModelCall {
  readonly operator: Operator;
  readonly function: ModelFunction;
  /** The path of the calling module; empty for the outermost one. */
  readonly module: string;
  /** Index of the function's input for each operand. */
  readonly inputs: readonly number[];
  /** Number of earlier calls of the function by the module. */
  readonly occurrence: number;
  readonly operands: readonly ModelTensor[];
  readonly results: readonly ModelTensor[];
  readonly levels: readonly CutLevel[];
  readonly plan: OperatorPlan;
}

/** The forward program of a plan as one PyTorch module, with the partition of each operator. */
export interface Model {
  readonly mesh: MeshAtoms;
  readonly devices: number;
  readonly tensors: readonly ModelTensor[];
  readonly calls: readonly ModelCall[];
  /** Tensors that no operator reads, or that the program returns. */
  readonly results: readonly ModelTensor[];
  readonly shared: SharedWeights;
  readonly functions: ModelFunctions;
  /** Differences between the model and the plan, as sentences without a full stop. */
  readonly differs: readonly string[];
}

/**
 * The forward operators of a program as a model that nnScaler can trace.
 *
 * @param text the module from which the program was read; its own operators are used
 * @throws NotWritten if nnScaler 0.8 cannot express one of them, or computes it wrongly
 */
export function modelOf(program: SpmdProgram, text?: TextModel): Model {
  return new ModelBuilder(program, text).model();
}

const floats: ReadonlySet<DType> = new Set(["f64", "f32", "f16", "bf16"]);

class ModelBuilder {
  private readonly forward: ForwardProgram;
  private readonly text: TextModel | undefined;
  private readonly names = new PythonNames(reservedNames);
  private readonly functions: ModelFunctions;
  private readonly tensors = new Map<string, ModelTensor>();
  private readonly called = new Map<string, number>();
  private readonly differs = new Set<string>();
  private readonly shared = new Set<Tensor["id"]>();

  constructor(program: SpmdProgram, text: TextModel | undefined) {
    this.text = text;
    this.forward = new ForwardProgram(program);
    const { given, mesh } = this.forward;
    if (mesh.order !== undefined)
      throw new NotWritten(
        "its devices stand in another order than their numbers, and nnScaler 0.8 puts pieces together in the order of the numbers",
      );
    this.functions = new ModelFunctions(given, mesh, this.names);
  }

  model(): Model {
    const { program, mesh } = this.forward;
    const calls = this.forward.operators().map((operator) => this.call(operator));
    const read = new Set(calls.flatMap(({ operands }) => operands));
    const handedOut = new Set(
      program.outputs.map((id) => this.forward.valueOf(id).tensor as string),
    );
    const made = calls.flatMap(({ results }) => results);
    const results = made.filter((result) => !read.has(result) || handedOut.has(result.id));
    for (const { id, name } of results) {
      const partials = this.forward.valueAt(program.made.get(id))?.layout.partials;
      if (partials?.some(({ reduce }) => reduce !== "sum"))
        throw new NotWritten(`${name} is no sum, and nnScaler's partial values are sums`);
    }
    return {
      ...{ mesh, devices: program.devices.length },
      tensors: [...this.tensors.values()],
      ...{ calls, results, shared: this.shared },
      ...{ functions: this.functions, differs: [...this.differs] },
    };
  }

  private call(operator: Operator): ModelCall {
    const step = this.stepOf(operator);
    const layouts = step.inputs.map((id, at) => this.layoutRead(operator, id, at));
    const shapes = operator.inputs.map(({ tensor }) => this.forward.given.get(tensor)?.shape ?? []);
    const local = layouts.map((layout, at) => localShape(layout, shapes[at] ?? []));
    const levels = levelsOf(operator, step, this.forward.mesh);
    this.noteMixed(operator, levels, layouts);
    const node = this.text?.nodes.get(operator.id);
    if (this.text !== undefined && node === undefined)
      throw new NotWritten(`${operator.name} is no operator of ${this.text.name}`);
    const found =
      node === undefined
        ? this.functions.functionOf({ operator, step, local })
        : { call: node.name, node: node.name, sizes: {} };
    const module = node?.module ?? "";
    const key = `${module} ${found.node}`;
    const occurrence = this.called.get(key) ?? 0;
    this.called.set(key, occurrence + 1);
    const strategy = { ...step.strategy, carry: [] };
    const plan = { strategy, mesh: meshOf(this.forward.program), status: "set" as const };
    return {
      ...{ operator, function: found, module, occurrence, levels, plan },
      inputs: node?.inputs ?? operator.inputs.map((_, index) => index),
      operands: operator.inputs.map(({ tensor }, at) =>
        this.operand(tensor, layouts[at], operator),
      ),
      results: operator.outputs.map(({ tensor }) => this.tensor(tensor)),
    };
  }

  /**
   * @throws NotWritten for a weight that is cut: only whole ones have adapters for their gradients
   */
  private noteMixed(
    operator: Operator,
    levels: readonly CutLevel[],
    layouts: readonly Layout[],
  ): void {
    for (const { tensor } of mixedWeights(operator, levels, (id) => this.isWeight(id))) {
      const at = operator.inputs.findIndex((each) => each.tensor === tensor);
      if (layouts[at]?.dims.some(({ parts }) => parts.length > 0))
        throw new NotWritten(
          `${operator.name} is both cut and replicated beside its cut weight ${this.forward.given.get(tensor)?.name}, for which nnScaler 0.8 has no right gradient`,
        );
      this.shared.add(tensor);
    }
  }

  private stepOf(operator: Operator): LocalStep {
    const step = this.forward.stepOf(operator);
    if (operator.combine !== undefined)
      throw new NotWritten(
        `${operator.name} is combined by ${operator.combine}, and nnScaler's partial values are sums`,
      );
    const twice = operator.inputs.find(
      ({ tensor }, at) => operator.inputs.findIndex((each) => each.tensor === tensor) < at,
    );
    if (twice !== undefined)
      throw new NotWritten(
        `${operator.name} reads ${this.forward.given.get(twice.tensor)?.name} twice`,
      );
    return step;
  }

  private layoutRead(operator: Operator, id: ValueId, at: number): Layout {
    return this.forward.layoutRead(operator, id, at, (name) =>
      this.differs.add(
        `${name} is added up before ${operator.name} reads it: no operator of nnScaler takes partial sums`,
      ),
    );
  }

  private isWeight(id: Tensor["id"]): boolean {
    const tensor = this.forward.given.get(id);
    return tensor?.role === "parameter" && floats.has(tensor.dtype);
  }

  /** A tensor as an operand; a weight also gets the reader's layout, in which devices keep it. */
  private operand(id: Tensor["id"], layout: Layout | undefined, reader: Operator): ModelTensor {
    const made = this.tensor(id);
    if (layout === undefined || made.role !== "parameter") return made;
    const rest = this.forward.valueAt(this.forward.program.made.get(id));
    if (rest !== undefined && !isCutFurther(rest.layout, layout, this.forward.mesh))
      throw new NotWritten(
        `${made.name} is gathered before ${reader.name} reads it, and nnScaler keeps a weight as its readers take it`,
      );
    if (made.kept === undefined) {
      const kept = { ...made, kept: layout };
      this.tensors.set(id, kept);
      return kept;
    }
    const one = JSON.stringify(made.kept.dims);
    if (one !== JSON.stringify(layout.dims))
      throw new NotWritten(`${made.name} is read in two layouts, and a weight of nnScaler has one`);
    return made;
  }

  private tensor(id: Tensor["id"]): ModelTensor {
    const tensor = this.forward.tensorOf(id);
    const known = this.tensors.get(id);
    if (known !== undefined) return known;
    const made: ModelTensor = {
      ...{ id, name: this.nameOf(tensor), shape: tensor.shape, dtype: tensor.dtype },
      role: roleOf(tensor),
    };
    this.tensors.set(id, made);
    if (made.role === "input") this.noteInput(tensor, made.name);
    return made;
  }

  /**
   * A fresh name for the file; for weights of the text's module their path, as PyTorch lists them.
   */
  private nameOf({ name, role }: Tensor): string {
    if (this.text === undefined || role !== "parameter") return this.names.fresh(name);
    return name.replace(/\[(\d+)\]/g, ".$1");
  }

  /** Notes the difference that a sharded input is passed whole. */
  private noteInput({ id }: Tensor, name: string): void {
    const { layout } = this.forward.valueOf(this.forward.program.made.get(id));
    if (layout.dims.some(({ parts }) => parts.length > 0))
      this.differs.add(`${name} is given whole, and every device takes its own piece of it`);
  }
}

const reservedNames: readonly string[] = [
  ..."torch F nnscaler math os sys defaultdict Path ComputeConfig CompileFlag".split(" "),
  ..."IRGraphAnchor IRDataOperation IRFwOperation DEVICES PLAN INPUTS Model policy self".split(" "),
  ..."parallel verify main element given model super print range abs float forward".split(" "),
  ..."training buffers parameters modules children apply train eval half double".split(" "),
  ..."type to cpu cuda xpu compile register_buffer register_parameter state_dict".split(" "),
  ..."requires_grad_ zero_grad share_memory named_parameters extra_repr dump_patches".split(" "),
];
