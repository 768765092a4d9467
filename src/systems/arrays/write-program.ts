import { transfersOf } from "#core/collective";
import { type Operator, type Tensor, tensorsById } from "#core/ir";
import { operatorBody } from "#core/ir/body";
import {
  type CollectiveStep,
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type Value,
  type ValueId,
} from "#core/program";
import type { DevicePair, SentBox } from "./collective-scope.ts";
import { collectiveComment } from "./comments.ts";
import type { Length } from "./dialect.ts";
import { blockLengths, type HeldBlocks, heldBlocks, longestBlock } from "./held-blocks.ts";
import { positioned } from "./local-axes.ts";
import { type MeshAtoms, meshAtoms } from "./mesh-atoms.ts";
import { NotWritten } from "./not-written.ts";
import { operatorLines, type WrittenOperator } from "./operator-lines.ts";
import { meshOf, meshPartsOf, type Port, reduceOf } from "./program-facts.ts";
import type { Engine, ProgramLines } from "./program-lines.ts";
import { bracketed } from "./python/labelled.ts";
import { growsCutPieces } from "./python/pieces.ts";
import { PythonNames } from "./python/python-names.ts";
import { type StepState, settingsOf, stateNames } from "./step-state.ts";
import { unusedCollectives } from "./unused-collectives.ts";

/**
 * Writes a per-device program for an engine, using only its steps and the bodies of its operators.
 *
 * @throws NotWritten when the engine cannot express the program
 */
export function writeProgram(program: SpmdProgram, engine: Engine): ProgramLines {
  return new ProgramWriter(program, engine).lines();
}

/** An operator by id, with the variables that its lines read and write. */
interface WrittenStep extends WrittenOperator {
  readonly operator: Operator["id"];
}

class ProgramWriter {
  private readonly program: SpmdProgram;
  private readonly engine: Engine;
  private readonly tensors: ReadonlyMap<string, Tensor>;
  private readonly values: ReadonlyMap<ValueId, Value>;
  private readonly mesh: MeshAtoms;
  private readonly names: PythonNames;
  private readonly variables = new Map<ValueId, string>();
  private readonly written = new Set<string>();
  private readonly leftOut = new Set<CollectiveStep>();
  private readonly blocks = new Map<ValueId, HeldBlocks>();
  private readonly held = new Map<string, HeldBlocks>();
  private needsElement = false;
  private isExact = true;

  constructor(program: SpmdProgram, engine: Engine) {
    this.program = program;
    this.engine = engine;
    this.tensors = tensorsById(program.graph);
    this.values = new Map(program.values.map((value) => [value.id, value]));
    this.mesh = meshAtoms(meshOf(program), meshPartsOf(program));
    const isTraining = program.graph.operators.some(({ phase }) => phase === "update");
    const taken = isTraining ? stateNames : [];
    this.names = new PythonNames([...engine.dialect.names, ...taken]);
    for (const { id, name } of program.graph.tensors) {
      const made = program.made.get(id);
      if (made !== undefined) this.variables.set(made, this.names.fresh(name));
    }
  }

  lines(): ProgramLines {
    const inputs = this.program.graph.tensors
      .filter(({ producer }) => producer === undefined)
      .map(({ id }) => this.program.made.get(id))
      .filter((id) => id !== undefined);
    const { outputs } = this.program;
    const reference = this.referenceLines();
    const device = this.deviceLines();
    const ports = { inputs: inputs.map(this.port), outputs: outputs.map(this.port) };
    for (const { name, blocks } of [...ports.inputs, ...ports.outputs])
      if (!isPlain(blocks)) this.held.set(name, blocks);
    return {
      ...{ mesh: this.mesh, ports },
      ...{ reference, device },
      results: {
        plan: outputs.map((id) => this.variableOf(id)),
        reference: outputs.map((id) => this.variableOf(this.wholeOf(id))),
      },
      ...this.stepState(),
      ...{ needsElement: this.needsElement, isExact: this.isExact },
      pairsOf: (step) => this.pairsOf(step),
      leftOut: this.leftOut,
      ...{ held: this.held, blocksOf: (id: ValueId) => this.blocksOf(id) },
    };
  }

  /** Settings and replaced variables of a program with updates; empty without updates. */
  private stepState(): { readonly state?: StepState } {
    const { graph, outputs, made } = this.program;
    const replaced = outputs.flatMap((id) => {
      const old = this.tensors.get(this.valueOf(id).tensor)?.replaces;
      const given = old === undefined ? undefined : made.get(old);
      return given === undefined ? [] : [[this.variableOf(given), this.variableOf(id)] as const];
    });
    return replaced.length === 0 ? {} : { state: { settings: settingsOf(graph), replaced } };
  }

  private readonly port = (id: ValueId): Port => {
    const { tensor, layout, dtype } = this.valueOf(id);
    if (layout.partials.length > 0)
      throw new NotWritten(`${this.nameOf(tensor)} comes or leaves partial`);
    const blocks = this.blocksOf(id);
    return { name: this.variableOf(id), shape: this.shapeOf(tensor), dtype, layout, blocks };
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
      return this.operatorLines({ operator: operator.id, inputs, outputs, shapes });
    });
  }

  private deviceLines(): readonly string[] {
    const steps = flatSteps(this.program);
    const lines = steps.map((step, at) =>
      step.kind === "local" ? this.localLines(step) : this.collectiveLines(step, at),
    );
    const results = this.program.outputs.map((id) => this.variableOf(id));
    const unused = unusedCollectives(steps, lines, results, (id) => this.variableOf(id));
    const { dropsUnused } = this.engine;
    if (dropsUnused) for (const { step } of unused) this.leftOut.add(step);
    for (const { at } of unused) {
      const [comment, ...call] = lines[at] ?? [];
      lines[at] = dropsUnused
        ? [`${comment}; left out, for nothing uses it`]
        : [`${comment}; nothing uses it`, ...call];
    }
    return lines.flat();
  }

  private localLines(step: LocalStep): readonly string[] {
    if (step.unverified !== undefined) throw new NotWritten(`${step.operator} runs as it is given`);
    const inputs = step.inputs.map((id) => this.variableOf(id));
    const outputs = step.outputs.map((id) => this.variableOf(id));
    const shapes = step.inputs.map((id) => this.localOf(id));
    const blocks = step.inputs.map((id) => this.blocksOf(id));
    const { strategy } = step;
    const written = { operator: step.operator, inputs, outputs };
    const onBlocks = () => this.operatorLines({ ...written, shapes, blocks, strategy });
    if (this.engine.operatorLines === undefined) return onBlocks();
    const operator = this.operatorOf(step.operator);
    return this.engine.operatorLines(step, {
      ...{ operator, inputs, outputs, onBlocks },
      body: operatorBody(operator, (tensor) => this.shapeOf(tensor)),
      layoutOf: (id) => this.valueOf(id).layout,
      onWhole: () => {
        const whole = step.inputs.map((id) => this.shapeOf(this.valueOf(id).tensor));
        return this.operatorLines({ ...written, shapes: whole });
      },
    });
  }

  private operatorLines({ operator: id, ...step }: WrittenStep): readonly string[] {
    const { dialect } = this.engine;
    const scope = { dialect, names: this.names, mesh: this.mesh, tensors: this.tensors };
    const written = operatorLines(this.operatorOf(id), step, scope);
    this.isExact &&= written.isExact;
    this.needsElement ||= written.needsElement;
    return written.lines;
  }

  private operatorOf(id: Operator["id"]): Operator {
    const operator = this.program.graph.operators.find((each) => each.id === id);
    if (operator === undefined) throw new NotWritten(`there is no operator ${id}`);
    return operator;
  }

  private collectiveLines(step: CollectiveStep, at: number): readonly string[] {
    const [before, after] = [step.input, step.output].map((id) => this.valueOf(id));
    if (before === undefined || after === undefined) return [];
    const blocks = { before: this.blocksOf(step.input), after: this.blocksOf(step.output) };
    const isUneven =
      !blocks.before.isEven ||
      !blocks.after.isEven ||
      growsCutPieces(step.moves, before.layout, after.layout);
    if (isUneven || step.collective === "exchange") {
      this.held.set(this.variableOf(step.input), blocks.before);
      this.held.set(this.variableOf(step.output), blocks.after);
    }
    const key = JSON.stringify([step.collective, step.input, step.moves, step.pairs]);
    const isAgain = this.written.has(key);
    this.written.add(key);
    const lines = this.engine.collectiveLines(step, {
      ...{ at, source: this.variableOf(step.input), target: this.variableOf(step.output) },
      name: this.variableOf(step.input),
      ...{ before: before.layout, after: after.layout },
      ...{ local: blocks.before.dims.map(longestBlock), mesh: this.mesh, isAgain },
      ...{ blocks, isUneven, sent: this.sentIn(step) },
      reduce: reduceOf(step, before.layout, this.nameOf(before.tensor)),
      pairs: this.pairsOf(step),
    });
    const comment = this.engine.comment?.(step) ?? collectiveComment(step, this.program.graph);
    return [`# ${comment}`, ...lines];
  }

  /** Sender and receiver of each block of a permute; empty for other collectives. */
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

  /** Boxes sent in an exchange; empty for other collectives. */
  private sentIn({ collective, pairs = [] }: CollectiveStep): readonly SentBox[] {
    if (collective !== "exchange") return [];
    return pairs.map(({ from, to, range }) => ({ from: Number(from), to: Number(to), range }));
  }

  /** Variable of a value; each layout of a tensor has its own variable. */
  private variableOf(id: ValueId): string {
    const known = this.variables.get(id);
    if (known !== undefined) return known;
    const name = this.names.fresh(this.nameOf(this.valueOf(id).tensor));
    this.variables.set(id, name);
    return name;
  }

  /** The value in which a value's tensor is first made. */
  private wholeOf(id: ValueId): ValueId {
    return this.program.made.get(this.valueOf(id).tensor) ?? id;
  }

  private valueOf(id: ValueId): Value {
    const value = this.values.get(id);
    if (value === undefined) throw new NotWritten(`there is no value ${id}`);
    return value;
  }

  /** Local shape of a value on a device. */
  private localOf(id: ValueId): readonly Length[] {
    const { dialect } = this.engine;
    return this.blocksOf(id).dims.map((dim) => {
      if (dialect.padsBlocks) return longestBlock(dim);
      const length = positioned(blockLengths(dim), dim.axes, dialect);
      return /^\d+$/.test(length.code) ? Number(length.code) : bracketed(length, 3);
    });
  }

  /** Blocks of a value on all devices. */
  private blocksOf(id: ValueId): HeldBlocks {
    const known = this.blocks.get(id);
    if (known !== undefined) return known;
    const value = this.valueOf(id);
    const blocks = heldBlocks(
      value,
      this.shapeOf(value.tensor),
      this.mesh,
      this.nameOf(value.tensor),
    );
    this.blocks.set(id, blocks);
    return blocks;
  }

  private shapeOf(tensor: Tensor["id"]): readonly number[] {
    return this.tensors.get(tensor)?.shape ?? [];
  }

  private nameOf(tensor: Tensor["id"]): string {
    return this.tensors.get(tensor)?.name ?? tensor;
  }
}

/** Whether devices have equal blocks, each of one piece. */
function isPlain({ dims, isEven }: HeldBlocks): boolean {
  return isEven && dims.every(({ blocks }) => blocks.every(({ length }) => length === 1));
}
