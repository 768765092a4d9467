import { transfersOf } from "#core/collective";
import { operatorBody, type Tensor, tensorsById } from "#core/ir";
import { localShape } from "#core/mesh";
import {
  type CollectiveStep,
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
} from "#core/program";
import { bodyLines } from "./body-lines.ts";
import { type ClaimedCollective, claimedCollectives } from "./claims.ts";
import {
  type CollectiveCode,
  type CollectiveScope,
  collectiveCode,
  type DevicePair,
} from "./collective-lines.ts";
import { collectiveComment } from "./comments.ts";
import { numpyName } from "./dtypes.ts";
import { fileText } from "./file-text.ts";
import { LocalAxes } from "./local-axes.ts";
import { type MeshAtoms, meshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import type { Port } from "./port.ts";
import {
  checkEven,
  isExtreme,
  isIntegral,
  meshOf,
  partsOf,
  placesOf,
  rangesOf,
} from "./program-facts.ts";
import { PythonNames } from "./python-names.ts";

/** What an exported file must show where it runs. */
export interface JaxClaims {
  readonly devices: number;
  /** By input and output, per device id, the range of every dim. */
  readonly slices: Readonly<Record<string, readonly (readonly (readonly number[])[])[]>>;
  /** In program order, with bytes that the busiest device receives. */
  readonly collectives: readonly ClaimedCollective[];
}

/** A program as a JAX module, or why it is none: half a sentence that names the cause. */
export type JaxModule =
  | { readonly ok: true; readonly text: string; readonly claims: JaxClaims }
  | { readonly ok: false; readonly reason: string };

/**
 * Writes a per-device program as one `jax.shard_map`, one line per step, with the unsharded program
 * beside it (engine-jax §1a). Nothing is left to XLA: the collectives are those of the plan.
 */
export function writeJax(program: SpmdProgram): JaxModule {
  try {
    return { ok: true, ...new JaxWriter(program).module() };
  } catch (error) {
    if (error instanceof NotWritten) return { ok: false, reason: error.message };
    throw error;
  }
}

class JaxWriter {
  private readonly program: SpmdProgram;
  private readonly tensors: ReadonlyMap<string, Tensor>;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly mesh: MeshAtoms;
  private readonly names = new PythonNames();
  private readonly variables = new Map<ValueId, string>();
  private readonly written = new Set<string>();
  private needsElement = false;
  private isExact = true;

  constructor(program: SpmdProgram) {
    this.program = program;
    this.tensors = tensorsById(program.graph);
    this.values = new Map(program.values.map((value) => [value.id, value]));
    this.mesh = meshAtoms(meshOf(program), partsOf(program));
    if (program.stages.some(({ runs = 1 }) => runs > 1)) {
      throw new NotWritten("micro-batches run one after the other");
    }
    for (const { id, name } of program.graph.tensors) {
      const made = program.made.get(id);
      if (made !== undefined) this.variables.set(made, this.names.fresh(name));
    }
  }

  module(): { text: string; claims: JaxClaims } {
    const inputs = this.program.graph.tensors
      .filter(({ producer }) => producer === undefined)
      .map(({ id }) => this.program.made.get(id))
      .filter((id) => id !== undefined);
    const steps = flatSteps(this.program);
    const reference = this.referenceLines();
    const device = steps.flatMap((step, at) =>
      step.kind === "local" ? this.localLines(step) : this.collectiveLines(step, at),
    );
    const outputs = this.program.outputs;
    const ports = { inputs: inputs.map(this.port), outputs: outputs.map(this.port) };
    const results = outputs.map((id) => this.variableOf(this.wholeOf(id)));
    const text = fileText({
      ...{ mesh: this.mesh, ports, reference, device, needsElement: this.needsElement },
      results: { plan: outputs.map((id) => this.variableOf(id)), reference: results },
      isExact: this.isExact,
    });
    const all = [...ports.inputs, ...ports.outputs];
    const slices = Object.fromEntries(all.map((port) => [port.name, rangesOf(port)]));
    const devices = this.program.devices.length;
    const collectives = claimedCollectives(
      steps,
      (id) => this.valueOf(id).dtype,
      (step) => this.pairsOf(step),
    );
    return { text, claims: { devices, slices, collectives } };
  }

  private readonly port = (id: ValueId): Port => {
    const { tensor, layout, dtype, held } = this.valueOf(id);
    if (held !== undefined) throw new NotWritten(`${this.nameOf(tensor)} lies in windows`);
    return { name: this.variableOf(id), shape: this.shapeOf(tensor), dtype, layout };
  };

  /** The unsharded program: every operator on whole tensors. */
  private referenceLines(): readonly string[] {
    return this.program.graph.operators.flatMap((operator) => {
      const made = (tensor: Tensor["id"]) => {
        const id = this.program.made.get(tensor);
        return id === undefined ? this.nameOf(tensor) : this.variableOf(id);
      };
      const inputs = operator.inputs.map(({ tensor }) => made(tensor));
      const outputs = operator.outputs.map(({ tensor }) => made(tensor));
      const shapes = operator.inputs.map(({ tensor }) => this.shapeOf(tensor));
      const step = { operator: operator.id, inputs, outputs, shapes };
      return this.operatorLines(step);
    });
  }

  private localLines(step: LocalStep): readonly string[] {
    if (step.asGiven !== undefined) throw new NotWritten(`${step.operator} runs as it is given`);
    const inputs = step.inputs.map((id) => this.variableOf(id));
    const outputs = step.outputs.map((id) => this.variableOf(id));
    const shapes = step.inputs.map((id) => this.localOf(id));
    const { cuts, sizes } = step.strategy;
    if (sizes !== undefined) throw new NotWritten(`${step.operator} is cut into given pieces`);
    return this.operatorLines({ operator: step.operator, inputs, outputs, shapes, cuts });
  }

  private operatorLines(step: {
    readonly operator: LocalStep["operator"];
    readonly inputs: readonly string[];
    readonly outputs: readonly string[];
    readonly shapes: readonly (readonly number[])[];
    readonly cuts?: LocalStep["strategy"]["cuts"];
  }): readonly string[] {
    const operator = this.program.graph.operators.find(({ id }) => id === step.operator);
    if (operator === undefined) throw new NotWritten(`there is no operator ${step.operator}`);
    if (operator.inputs.some(({ shared }) => (shared?.length ?? 0) > 0 && step.cuts !== undefined))
      throw new NotWritten(`${operator.name} shares an operand by value`);
    const body = operatorBody(operator, (tensor) => this.shapeOf(tensor));
    this.isExact &&= isIntegral(body);
    const axes = new LocalAxes(operator, body.call, step.cuts, this.mesh);
    const places = placesOf(body);
    const at = <T>(list: readonly T[]) =>
      body.call.inputs.map((_, position) => list[places.indexOf(position)]);
    try {
      const { lines, results, needsElement } = bodyLines(body, {
        ...{ axes, operands: at(step.inputs), names: this.names },
        isUpdate: operator.phase === "update",
        shapes: at(step.shapes).map((shape) => shape ?? []),
      });
      this.needsElement ||= needsElement;
      const note = body.isAssumed ? `  # ${operator.op}: a product stands in for it` : "";
      return [
        ...lines,
        ...results.map((result, out) => this.assigned(operator, step, out, result) + note),
      ];
    } catch (error) {
      if (!(error instanceof NotWritten)) throw error;
      throw new NotWritten(`${operator.name} (${operator.op}) cannot be written: ${error.message}`);
    }
  }

  private assigned(
    operator: SpmdProgram["graph"]["operators"][number],
    { outputs }: { readonly outputs: readonly string[] },
    out: number,
    result: string,
  ): string {
    const own = this.tensors.get(operator.outputs[out]?.tensor ?? "");
    const read = operator.inputs.map(({ tensor }) => this.tensors.get(tensor)?.dtype);
    const isOther = own !== undefined && read.some((dtype) => dtype !== own.dtype);
    const code = isOther ? `jnp.asarray(${result}, jnp.${numpyName(own.dtype)})` : result;
    return `${outputs[out]} = ${code}`;
  }

  private collectiveLines(step: CollectiveStep, at: number): readonly string[] {
    const [before, after] = [step.input, step.output].map((id) => this.valueOf(id));
    if (before === undefined || after === undefined) return [];
    if (before.held !== undefined || after.held !== undefined)
      throw new NotWritten(`${this.nameOf(before.tensor)} lies in windows`);
    if (after.layout.partials.some(({ reduce }) => reduce !== "sum") || isExtreme(before.layout))
      throw new NotWritten(`${this.nameOf(before.tensor)} is not combined by a sum`);
    const source = this.variableOf(step.input);
    const target = this.variableOf(step.output);
    const local = this.localOf(step.input);
    const scope = { source, target, local, mesh: this.mesh, pairs: this.pairsOf(step) };
    const { before: first, call, behind } = this.codeOf(step, scope);
    const comment = `# ${collectiveComment(step, this.program.graph)}`;
    if (step.collective === "slice") return [comment, `${target} = ${call}`];
    return [
      comment,
      ...(first === undefined ? [] : [`${target} = ${first}`]),
      `with jax.named_scope("s${at}"):`,
      `    ${target} = ${call}`,
      ...(behind === undefined ? [] : [`${target} = ${behind}`]),
    ];
  }

  /**
   * The code of a collective. One that was written before of the same value is there to hold less in
   * between: the barrier keeps XLA from merging the two.
   */
  private codeOf(step: CollectiveStep, scope: CollectiveScope): CollectiveCode {
    const key = JSON.stringify([step.collective, step.input, step.moves, step.pairs]);
    const isAgain = this.written.has(key);
    this.written.add(key);
    const source = isAgain ? `lax.optimization_barrier(${scope.source})` : scope.source;
    return collectiveCode(step, { ...scope, source });
  }

  /** Which block of which device goes where in a permute; nothing stands for other collectives. */
  private pairsOf(step: CollectiveStep): readonly DevicePair[] {
    if (step.collective !== "collective-permute") return [];
    const [before, after] = [this.valueOf(step.input), this.valueOf(step.output)];
    const moved = { ...step, before: before.layout, after: after.layout };
    const sent = step.pairs ?? transfersOf(moved, this.shapeOf(before.tensor));
    const pairs = sent.map(({ from, to }) => ({ from: Number(from), to: Number(to) }));
    const receivers = new Set(pairs.map(({ to }) => to));
    if (receivers.size < pairs.length)
      throw new NotWritten("a device gets pieces of several others");
    return pairs;
  }

  /** The variable of a value; another layout of a tensor is another one. */
  private variableOf(id: ValueId): string {
    const known = this.variables.get(id);
    if (known !== undefined) return known;
    const name = this.names.fresh(this.nameOf(this.valueOf(id).tensor));
    this.variables.set(id, name);
    return name;
  }

  /** The value in which the tensor of another value is made. */
  private wholeOf(id: ValueId): ValueId {
    return this.program.made.get(this.valueOf(id).tensor) ?? id;
  }

  private valueOf(id: ValueId): Value {
    const value = this.values.get(id);
    if (value === undefined) throw new NotWritten(`there is no value ${id}`);
    return value;
  }

  private localOf(id: ValueId): readonly number[] {
    const { layout, tensor } = this.valueOf(id);
    const shape = this.shapeOf(tensor);
    checkEven(layout, shape, this.nameOf(tensor));
    return localShape(layout, shape);
  }

  private shapeOf(tensor: Tensor["id"]): readonly number[] {
    return this.tensors.get(tensor)?.shape ?? [];
  }

  private nameOf(tensor: Tensor["id"]): string {
    return this.tensors.get(tensor)?.name ?? tensor;
  }
}
