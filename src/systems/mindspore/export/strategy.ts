import type { Operator } from "#core/ir";
import type { Layout } from "#core/mesh";
import { flatSteps, type SpmdProgram, type Value } from "#core/program";
import { type MeshAtoms, NotWritten } from "#systems/arrays";
import type { MapEntry } from "../layout.ts";
import type { OperatorCall } from "../operators/call.ts";
import {
  modelOperator,
  type OperatorModel,
  type WrittenStrategy,
} from "../operators/model-operator.ts";
import type { CellPrimitive } from "./cell-primitive.ts";
import { samePieces } from "./same-pieces.ts";

/** The argument of a primitive's `shard`. */
export type CellStrategy =
  | {
      readonly kind: "layouts";
      /** By operand and dim: axes of the mesh, outermost first. */
      readonly inputs: readonly (readonly (readonly string[])[])[];
      readonly output?: readonly (readonly string[])[];
      /** Set if the layouts replace the operator's own rule (`self_define_shard`). */
      readonly isSelfDefined?: true;
    }
  | { readonly kind: "tuples"; readonly inputs: readonly (readonly number[])[] };

/** The facts from which a strategy is written. */
export interface StrategyInput {
  readonly operator: Operator;
  readonly primitive: CellPrimitive;
  readonly operands: readonly { readonly shape: readonly number[]; readonly role: string }[];
  /** Layout in which each operand is read. */
  readonly layouts: readonly Layout[];
  readonly result: { readonly shape: readonly number[] };
  /** The result as the operator leaves it, before its partial sums are reduced. */
  readonly made: Value;
  readonly program: SpmdProgram;
  readonly devices: number;
  readonly mesh: MeshAtoms;
}

/** A strategy that MindSpore accepts, with its differences from the plan. */
interface Found {
  readonly strategy: CellStrategy;
  readonly differs: readonly string[];
}

/** @throws NotWritten if MindSpore refuses the plan's strategy */
export function strategyOf(given: StrategyInput): Found {
  const { primitive, operator, mesh } = given;
  const inputs = given.layouts.map(({ dims }) => dims.map(({ parts }) => mesh.axesOf(parts)));
  const asLayouts: CellStrategy = { kind: "layouts", inputs };
  if (primitive.takesLayouts) {
    const { output, differs } = scatteredOutput(given, inputs);
    const strategy = { ...asLayouts, ...(output && { output }) };
    checked(given, strategy);
    return { strategy, differs };
  }
  const pieces = inputs.map((dims) => dims.map((axes) => productOfSizes(axes, mesh)));
  const asTuples: CellStrategy = { kind: "tuples", inputs: pieces };
  const model = checked(given, asTuples);
  const wanted = { deviceMatrix: mesh.sizes, maps: inputs.map((dims) => mapOf(dims, mesh)) };
  const isSame = samePieces({ deviceMatrix: model.deviceMatrix, maps: model.inputMaps }, wanted);
  if (isSame) return { strategy: asTuples, differs: [] };
  if (!primitive.isElementWise) {
    throw new NotWritten(
      `${primitive.op} of MindSpore takes numbers of pieces only, which cannot say how ${operator.name} is cut`,
    );
  }
  const output = given.made.layout.dims.map(({ parts }) => mesh.axesOf(parts));
  const strategy: CellStrategy = { ...asLayouts, output, isSelfDefined: true };
  checked(given, strategy);
  return { strategy, differs: [] };
}

/** The result of MindSpore's own rule for a strategy. @throws NotWritten if MindSpore refuses it */
function checked(given: StrategyInput, strategy: CellStrategy): OperatorModel {
  const { primitive, operator, mesh } = given;
  const model = modelOperator(callOf(given, strategy), writtenOf(strategy, mesh));
  if (model.ok) return model.value;
  const why = model.diagnostics[0]?.message ?? "MindSpore refuses it";
  throw new NotWritten(`${operator.name} (${primitive.op}) is refused by MindSpore: ${why}`);
}

/** The call in the form that the rule takes; call arguments appear under their names. */
function callOf(
  { primitive, operands, devices }: StrategyInput,
  strategy: CellStrategy,
): OperatorCall {
  const isSelfDefined = strategy.kind === "layouts" && strategy.isSelfDefined === true;
  return {
    op: primitive.op,
    shapes: operands.map(({ shape }) => shape),
    attributes: {
      ...primitive.arguments,
      ...Object.fromEntries(primitive.trailing),
      ...(isSelfDefined && { self_define_shard: true }),
    },
    arguments: [],
    parameters: operands.flatMap(({ role }, at) => (role === "parameter" ? [at] : [])),
    devices,
    rank: 0,
  };
}

/** A strategy in MindSpore's numbers: axes counted from the right. */
function writtenOf(strategy: CellStrategy, mesh: MeshAtoms): WrittenStrategy {
  if (strategy.kind === "tuples") return strategy;
  return {
    kind: "layouts",
    deviceMatrix: mesh.sizes,
    inputs: strategy.inputs.map((dims) => mapOf(dims, mesh)),
    ...(strategy.output && { output: mapOf(strategy.output, mesh) }),
  };
}

/** The tensor map of dims given by axis names; -1 for a dim without axes. */
export function mapOf(
  dims: readonly (readonly string[])[],
  { names }: MeshAtoms,
): readonly MapEntry[] {
  return dims.map((axes): MapEntry => {
    const values = axes.map((axis) => names.length - 1 - names.indexOf(axis));
    const [only = -1, ...others] = values;
    return others.length > 0 ? values : only;
  });
}

function productOfSizes(axes: readonly string[], { names, sizes }: MeshAtoms): number {
  return axes.reduce((product, axis) => product * (sizes[names.indexOf(axis)] ?? 1), 1);
}

/**
 * The output layout of a matrix product whose partial sums the plan scatters over its rows: the
 * rows' axes followed by those of the contraction. MindSpore 2.10 scatters correctly only for
 * products of two matrices, with these axes in mesh order (mindspore.md §5.1).
 */
function scatteredOutput(
  { operator, primitive, program, made, mesh }: StrategyInput,
  [a = []]: readonly (readonly (readonly string[])[])[],
): { readonly output?: readonly (readonly string[])[]; readonly differs: readonly string[] } {
  const partial = made.layout.partials.flatMap(({ part }) => mesh.axesOf([part]));
  const next = flatSteps(program).find(
    (step) => step.kind === "collective" && step.input === made.id,
  );
  if (partial.length === 0 || next?.kind !== "collective") return { differs: [] };
  if (next.collective !== "reduce-scatter") return { differs: [] };
  const after = program.values.find(({ id }) => id === next.output);
  const wanted = after?.layout.dims.map(({ parts }) => mesh.axesOf(parts));
  const rows = made.layout.dims.map(({ parts }) => mesh.axesOf(parts));
  const summed = a.flat().filter((axis) => partial.includes(axis));
  const scattered = rows.with(0, [...(rows[0] ?? []), ...summed]);
  const said = (why: string) => ({
    differs: [
      `${operator.name} is added up whole, where the plan scatters it: ${why}; what follows cuts it`,
    ],
  });
  if (wanted?.map(String).join(";") !== scattered.map(String).join(";"))
    return said(`${primitive.op} scatters over rows only`);
  if (rows.length > 2)
    return said(
      `${primitive.op} of MindSpore 2.10 scatters wrong blocks of tensors with batch dims`,
    );
  const places = summed.map((axis) => mesh.names.indexOf(axis));
  if (places.some((place, at) => place < (places[at - 1] ?? -1)))
    return said("MindSpore 2.10 scatters wrong blocks where these axes are not in mesh order");
  return { output: scattered, differs: [] };
}
