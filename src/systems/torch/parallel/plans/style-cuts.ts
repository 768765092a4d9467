import type { Diagnostic } from "#core/diagnostics";
import type { Operator, TensorId } from "#core/ir";
import type { Part } from "#core/mesh";
import type { ParallelRecord, PlacementWord, StyledModule } from "../record.ts";
import type { AskedCuts } from "./asked-cuts.ts";
import type { MeshParts } from "./mesh-parts.ts";
import type { ModuleOperators } from "./module-operators.ts";

/** What the translation of styles into cuts needs. */
export interface StyleSetting {
  readonly record: ParallelRecord;
  readonly operators: ModuleOperators;
  readonly parts: MeshParts;
  readonly asked: AskedCuts;
  readonly diagnostics: Diagnostic[];
  /** The tensor that a module holds under a name. */
  readonly heldAs: (styled: StyledModule, name: string) => TensorId | undefined;
}

/**
 * Requests the cuts of a text's styles: first the styles of layers, then the styles of modules'
 * arguments and results.
 */
export function askStyles(setting: StyleSetting): void {
  const { styles } = setting.record;
  const isLayer = ({ style: { kind } }: StyledModule) => kind === "columns" || kind === "rows";
  for (const styled of styles.filter(isLayer)) askLayer(setting, styled);
  for (const styled of styles) {
    const { kind } = styled.style;
    if (kind === "sequence") askSequence(setting, styled);
    if (kind === "outputs" || kind === "inputs-and-outputs") askResults(setting, styled);
  }
  for (const styled of styles) if (/^inputs/u.test(styled.style.kind)) askInputs(setting, styled);
}

/**
 * A layer with a cut weight: its product is cut as the weight, and its result gets the style's
 * layout.
 */
function askLayer(setting: StyleSetting, styled: StyledModule): void {
  const { operators, parts, asked, diagnostics } = setting;
  const { style, span, mesh } = styled;
  const over = parts.of(mesh);
  const [weight, bias] = ["weight", "bias"].map((name) => setting.heldAs(styled, name));
  const readers = operators.of(styled.module).filter((each) => operandOf(each, weight));
  const isTable = readers.every((each) => operandOf(each, weight)?.dims.length === 2);
  const isRun = operators.of(styled.module).length > 0;
  if (weight === undefined || !isTable || (readers.length === 0 && isRun)) {
    diagnostics.push(notALayer(styled));
    return;
  }
  // The weight of an embedding lies the other way round: a row for each word.
  const isEmbedding = readers.some(({ entry }) => entry === "embedding");
  const dim = (style.kind === "columns") === isEmbedding ? 1 : 0;
  asked.tensor(weight, dim, over, span);
  if (bias !== undefined) asked.tensor(bias, dim === 0 ? 0 : undefined, over, span);
  for (const reader of readers) {
    const axis = operandOf(reader, weight)?.dims[dim]?.splittable;
    if (axis === undefined) diagnostics.push(keptWhole(reader, styled));
    else asked.operator(reader.id, axis, over, span);
    askGiven(setting, styled, reader, weight, over);
  }
  for (const result of operators.resultsOf(styled.module)) askResult(setting, styled, result, over);
}

/** An input of the program that a layer is given lies as the style says. */
function askGiven(
  { operators, asked }: StyleSetting,
  { style, span }: StyledModule,
  { inputs }: Operator,
  weight: TensorId,
  over: readonly Part[],
): void {
  const [given] = inputs.filter(({ tensor }) => tensor !== weight);
  const [word] = style.inputs;
  if (given === undefined || word?.kind !== "shard") return;
  const tensor = operators.tensor(given.tensor);
  if (tensor === undefined || tensor.producer !== undefined || tensor.role !== "input") return;
  asked.tensor(tensor.id, dimOf(word, tensor.shape.length), over, span);
}

/** Gives the result of a layer the style's layout; the addition of the bias is cut alike. */
function askResult(
  { operators, asked }: StyleSetting,
  { style, span }: StyledModule,
  result: TensorId,
  over: readonly Part[],
): void {
  const tensor = operators.tensor(result);
  const [word] = style.outputs;
  if (tensor === undefined || word === undefined || word.kind === "partial") return;
  const rank = tensor.shape.length;
  const dim = dimOf(word, rank);
  // A layout that follows from the cut of columns needs no request.
  if (style.kind === "columns" && dim === rank - 1) return;
  asked.tensor(result, dim, over, span);
  const maker = operators.makerOf(result);
  if (maker === undefined || asked.operators.has(maker.id)) return;
  const axis = dim === undefined ? undefined : maker.outputs[0]?.dims[dim]?.splittable;
  asked.operator(maker.id, axis, over, span);
}

/** The first operators of a module that are given what lies along a sequence are cut along it. */
function askSequence({ operators, parts, asked }: StyleSetting, styled: StyledModule): void {
  const over = parts.of(styled.mesh);
  const { sequenceDim } = styled.style;
  const own = operators.of(styled.module);
  const made = new Set(own.flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor)));
  const roleOf = (id: TensorId) => operators.tensor(id)?.role;
  for (const operator of own) {
    for (const { tensor, dims } of operator.inputs) {
      if (made.has(tensor) || roleOf(tensor) === "parameter") continue;
      const axis = dims[(sequenceDim + dims.length) % dims.length]?.splittable;
      if (axis !== undefined && dims.length > 1)
        asked.operator(operator.id, axis, over, styled.span);
      if (roleOf(tensor) === "input" && dims.length > 2)
        asked.tensor(tensor, sequenceDim, over, styled.span);
    }
  }
}

/** Readers outside a module read its results in the layout of the module's style. */
function askResults({ operators, parts, asked }: StyleSetting, styled: StyledModule): void {
  const { desiredOutputs } = styled.style;
  const over = parts.of(styled.mesh);
  for (const [at, result] of operators.resultsOf(styled.module).entries()) {
    const word = desiredOutputs[at];
    if (word === undefined || word.kind === "partial") continue;
    const dim = dimOf(word, operators.tensor(result)?.shape.length ?? 0);
    if (operators.isResult(result)) asked.replace(result, dim, over, styled.span);
    for (const reader of operators.readersOf(result)) {
      if (operators.isIn(reader, styled.module) || asked.operators.has(reader.id)) continue;
      const operand = operandOf(reader, result);
      const axis = dim === undefined ? undefined : operand?.dims[dim]?.splittable;
      asked.operator(reader.id, axis, over, styled.span);
    }
  }
}

/** What reads the arguments of a module reads them as its style wants them inside. */
function askInputs(setting: StyleSetting, styled: StyledModule): void {
  const { record, parts } = setting;
  const { style, module } = styled;
  const over = parts.of(styled.mesh);
  for (const call of record.calls.filter((each) => each.module === module)) {
    for (const [at, { name, value }] of call.args.entries()) {
      const tensor = record.tensorOf(value);
      const id = setting.operators.idOf(tensor);
      if (id === undefined) continue;
      const [given, wanted] =
        name === undefined
          ? [style.inputs[at], style.desiredInputs[at]]
          : [style.named.get(name), style.desiredNamed.get(name)];
      askArgument(setting, styled, id, [given, wanted], over);
    }
  }
}

function askArgument(
  { operators, asked }: StyleSetting,
  { module, span }: StyledModule,
  id: TensorId,
  [given, wanted]: readonly (PlacementWord | undefined)[],
  over: readonly Part[],
): void {
  const tensor = operators.tensor(id);
  const rank = tensor?.shape.length ?? 0;
  const isInput = tensor?.producer === undefined && tensor?.role === "input";
  if (isInput && given?.kind === "shard") asked.tensor(id, dimOf(given, rank), over, span);
  if (wanted === undefined || wanted.kind === "partial") return;
  const dim = dimOf(wanted, rank);
  for (const operator of operators.of(module)) {
    const operand = operandOf(operator, id);
    if (operand === undefined || asked.operators.has(operator.id)) continue;
    const axis = dim === undefined ? undefined : operand.dims[dim]?.splittable;
    asked.operator(operator.id, axis, over, span);
  }
}

function operandOf({ inputs }: Operator, tensor: TensorId | undefined) {
  return inputs.find((operand) => operand.tensor === tensor);
}

/** The dim that a placement cuts, counted from the first; none where it leaves a tensor whole. */
export function dimOf(word: PlacementWord, rank: number): number | undefined {
  if (word.kind !== "shard" || rank === 0) return undefined;
  return (word.dim + rank) % rank;
}

function notALayer({ style, path, span }: StyledModule): Diagnostic {
  return {
    code: "torch/cannot-cut",
    severity: "error",
    message: `${style.name} is for linear layers and embeddings, and "${path}" is neither`,
    span,
    upstream: "NotImplementedError",
  };
}

function keptWhole({ name, op }: Operator, { style, span }: StyledModule): Diagnostic {
  return {
    code: "torch/cannot-cut",
    severity: "warning",
    message: `${style.name} cuts a dim of the weight that "${name}" (${op}) keeps whole: it is gathered`,
    span,
  };
}
