import { contractsAxis } from "#core/cost";
import type { Diagnostic, Span } from "#core/diagnostics";
import {
  type Graph,
  library,
  type Operand,
  type Operator,
  operatorId,
  type Tensor,
  tensorId,
} from "#core/ir";
import {
  boundSoundly,
  createSpaces,
  type Space,
  type SpaceOf,
  shapeOf,
} from "../trace/bind-traced.ts";
import { withRules } from "../trace/rule-cuts.ts";
import type { Trace } from "../trace/trace.ts";
import type { PlainOperand, TracedOperator, TracedTensor } from "../trace/traced.ts";
import { createBodyCuts } from "./body-cuts.ts";

/** A graph with the traced tensors and operators behind it. */
export interface BuiltGraph {
  readonly graph: Graph;
  readonly diagnostics: readonly Diagnostic[];
  readonly operatorOf: ReadonlyMap<TracedOperator, Operator>;
  readonly tracedBy: ReadonlyMap<string, TracedTensor>;
}

/** Caches and lookups shared between readings of a text. */
export interface GraphOptions {
  readonly spaceOf?: SpaceOf;
  /** Path of the module that makes an operator. */
  readonly moduleOf?: (operator: TracedOperator) => string;
}

/**
 * Graph of a trace whose sizes are settled. Every call is bound exactly, and faults of dimops.md §2
 * are reported at its span. A call that does not bind is left out with everything that depends on
 * it.
 */
export function buildGraph(
  trace: Trace,
  names: ReadonlyMap<TracedTensor, string>,
  source: string,
  { spaceOf = createSpaces(), moduleOf = () => "" }: GraphOptions = {},
): BuiltGraph {
  const diagnostics: Diagnostic[] = [];
  const broken = new Set<TracedTensor>();
  const operatorOf = new Map<TracedOperator, Operator>();
  const writtenAt = knownTexts(source);
  const cutOf = trace.followsAnnotations === true ? asAnnotated : createBodyCuts();
  for (const traced of trace.operators) {
    const isBroken = traced.inputs.some((input) => input.kind === "tensor" && broken.has(input));
    const said = traced.inputs.some(isGuess) ? [] : diagnostics;
    const bound = isBroken ? undefined : boundSoundly(traced, said);
    if (bound === undefined) for (const output of traced.outputs) broken.add(output);
    else {
      const operator = operatorFrom(traced, spaceOf(bound), { names, writtenAt, moduleOf });
      operatorOf.set(traced, cutOf(traced, operator));
    }
  }
  const kept =
    broken.size === 0 ? trace.tensors : trace.tensors.filter((each) => !broken.has(each));
  const operators = [...operatorOf.values()];
  const naming = namingOperands(operators);
  const namesOf = knownDimNames();
  const tensors = kept.map((tensor) => tensorFrom(tensor, names, operatorOf, naming, namesOf));
  const graph = { tensors, operators, outputs: outputsOf(tensors, operators) };
  const tracedBy = new Map(kept.map((tensor) => [nameOf(tensor, names), tensor]));
  return { graph, diagnostics, operatorOf, tracedBy };
}

function asAnnotated(_: TracedOperator, operator: Operator): Operator {
  return operator;
}

/**
 * Whether an input's shape is a guess. Faults of its readers are then not reported, since the guess
 * may cause them.
 */
function isGuess(input: TracedTensor | PlainOperand): boolean {
  return input.kind === "tensor" && input.isGuessed === true;
}

/** Names of operators and tensors, and their text in the source. */
interface Words {
  readonly names: ReadonlyMap<TracedTensor, string>;
  readonly writtenAt: (span: Span) => string;
  readonly moduleOf: (operator: TracedOperator) => string;
}

function operatorFrom(
  traced: TracedOperator,
  space: Space,
  { names, writtenAt, moduleOf }: Words,
): Operator {
  const first = traced.outputs[0];
  const name = first === undefined ? traced.stem : nameOf(first, names);
  const inputs: Operand[] = [];
  for (const [index, input] of traced.inputs.entries())
    if (input.kind === "tensor") inputs.push(operandOf(input, space, index, names));
  const outputs = traced.outputs.map((output, index) =>
    operandOf(output, space, traced.inputs.length + index, names),
  );
  const combine = library.get(traced.entry ?? "")?.combine;
  const module = moduleOf(traced);
  const operator: Operator = {
    id: operatorId(name),
    name,
    op: traced.op,
    ...(traced.entry !== undefined && { entry: traced.entry }),
    attributes: traced.attributes ?? traced.integers,
    call: writtenAt(traced.span),
    annotation: space.annotation,
    axes: space.axes,
    inputs,
    outputs,
    linear: linearIn(traced),
    ...(combine !== undefined && { combine }),
    reducesInside: traced.reducesInside,
    ...(traced.endsGradient === true && { endsGradient: true }),
    ...(traced.passesBack !== undefined && { passesBack: traced.passesBack }),
    ...(module !== "" && { module }),
    span: traced.span,
  };
  const made = inArithmetic(operator, traced);
  return traced.rules === undefined && traced.primitive === undefined
    ? made
    : withRules(made, traced);
}

/** Adds the arithmetic mode to f32 contractions that do not compute in plain f32. */
function inArithmetic(operator: Operator, { arithmetic, inputs }: TracedOperator): Operator {
  if (arithmetic === undefined || !contractsAxis(operator)) return operator;
  const isPlain = inputs.every((input) => input.kind !== "tensor" || input.dtype === "f32");
  return isPlain ? { ...operator, attributes: { ...operator.attributes, arithmetic } } : operator;
}

/**
 * Linear groups by index among the tensor operands, as `inputs` of the operator counts. Operands
 * that the call omits are dropped from groups; a group with a plain number is dropped, since the
 * call is then affine.
 */
function linearIn(traced: TracedOperator): Operator["linear"] {
  const isTensor = (input: TracedTensor | PlainOperand | undefined) => input?.kind === "tensor";
  const isWhole = traced.inputs.every(isTensor) && traced.linear.every(isInside(traced));
  if (isWhole) return traced.linear;
  const position = (index: number) => traced.inputs.slice(0, index).filter(isTensor).length;
  return traced.linear
    .map((group) => group.filter((index) => index < traced.inputs.length))
    .filter((group) => group.length > 0 && group.every((index) => isTensor(traced.inputs[index])))
    .map((group) => group.map(position));
}

/** Whether a linear group is nonempty and has only operands that the call passes. */
function isInside({ inputs }: TracedOperator): (group: readonly number[]) => boolean {
  return (group) => group.length > 0 && group.every((index) => index < inputs.length);
}

/** Source text at a span, on one line; cached, since the layers of a model share spans. */
function knownTexts(source: string): (span: Span) => string {
  const known = new Map<Span, string>();
  return (span) => {
    const text = known.get(span) ?? onOneLine(source.slice(span.from, span.to));
    known.set(span, text);
    return text;
  };
}

/**
 * Text with each run of white space replaced by one space; skipped for text without other white
 * space.
 */
function onOneLine(text: string): string {
  return /[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, " ") : text;
}

/**
 * Operand with its dims in the index space; an operand that the annotation ignores (`?`) is whole
 * in every dim.
 */
function operandOf(
  tensor: TracedTensor,
  space: Space,
  position: number,
  names: ReadonlyMap<TracedTensor, string>,
): Operand {
  const { shape = [] } = tensor;
  const dims = space.dims[position] ?? [];
  return {
    tensor: tensorId(nameOf(tensor, names)),
    dims: dims.length === shape.length ? dims : shape.map(() => ({ identifiers: [] })),
  };
}

/** Dim names of a tensor of unknown rank. */
const unknownDims: readonly string[] = ["?"];

function tensorFrom(
  tensor: TracedTensor,
  names: ReadonlyMap<TracedTensor, string>,
  operatorOf: ReadonlyMap<TracedOperator, Operator>,
  naming: ReadonlyMap<Tensor["id"], Operand>,
  namesOf: ReturnType<typeof knownDimNames>,
): Tensor {
  const name = nameOf(tensor, names);
  const id = tensorId(name);
  const producer = tensor.producer === undefined ? undefined : operatorOf.get(tensor.producer);
  const shape = shapeOf(tensor);
  const { dtype, dtypeText, role, shapeStatus, span } = tensor;
  const unknown = tensor.isUnknown || tensor.isGuessed ? ({ isUnknown: true } as const) : undefined;
  const dimNames = unknown === undefined ? namesOf(shape.length, naming.get(id)) : unknownDims;
  // Fields are written out instead of spread: spreading objects of many shapes is slow, and this
  // runs for every tensor.
  if (producer === undefined) {
    const inside = tensor.isMadeInside ? ({ isMadeInside: true } as const) : undefined;
    const said = { id, name, shape, dtype, dtypeText, role, dimNames, shapeStatus };
    const frozen = tensor.isFrozen ? ({ isFrozen: true } as const) : undefined;
    return { ...said, ...unknown, ...inside, ...frozen, span };
  }
  return {
    id,
    name,
    shape,
    dtype,
    dtypeText,
    role,
    dimNames,
    shapeStatus,
    ...unknown,
    ...(tensor.isHeld && { isHeld: true }),
    producer: producer.id,
    span,
  };
}

/**
 * The operand that names each tensor's dims: an output of its producer, else an input of its first
 * reader.
 */
function namingOperands(operators: readonly Operator[]): ReadonlyMap<Tensor["id"], Operand> {
  const naming = new Map<Tensor["id"], Operand>();
  for (const { inputs } of operators) {
    for (const operand of inputs)
      if (!naming.has(operand.tensor)) naming.set(operand.tensor, operand);
  }
  for (const { outputs } of operators) {
    for (const operand of outputs) naming.set(operand.tensor, operand);
  }
  return naming;
}

/** Dim names from an operand; equal calls share operand dims, so the names are cached. */
function knownDimNames(): (rank: number, operand: Operand | undefined) => readonly string[] {
  const known = new Map<Operand["dims"], readonly string[]>();
  return (rank, operand) => {
    if (operand?.dims.length !== rank) return dimNames(rank, operand);
    const found = known.get(operand.dims);
    if (found !== undefined) return found;
    const names = dimNames(rank, operand);
    known.set(operand.dims, names);
    return names;
  };
}

function dimNames(rank: number, operand: Operand | undefined): readonly string[] {
  return Array.from({ length: rank }, (_, dim) => {
    const identifiers = operand?.dims[dim]?.identifiers ?? [];
    return identifiers.length === 0 ? `d${dim}` : identifiers.join("·");
  });
}

function outputsOf(tensors: readonly Tensor[], operators: readonly Operator[]): Graph["outputs"] {
  const read = new Set<Tensor["id"]>();
  for (const { inputs } of operators) for (const { tensor } of inputs) read.add(tensor);
  return tensors
    .filter(({ id, producer }) => producer !== undefined && !read.has(id))
    .map(({ id }) => id);
}

function nameOf(tensor: TracedTensor, names: ReadonlyMap<TracedTensor, string>): string {
  const name = names.get(tensor);
  if (name === undefined) throw new Error("a tensor without a name");
  return name;
}
