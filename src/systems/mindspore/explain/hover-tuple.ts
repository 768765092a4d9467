import { product } from "#core/arithmetic";
import type { Operator } from "#core/ir";
import { blockCount } from "#core/mesh";
import { fieldOf } from "#core/records";
import { contains, type TextPlace } from "#language/tokens";
import { axesText, counted } from "#systems/system";
import type { ExplainedText, Hover } from "#systems/system/explain";

/**
 * The hover for a number of `.shard(((4, 1), (1, 1)), ((4, 1),))` or a bracket around it: the dim,
 * its pieces, and the slice.
 */
export function tupleHover(facts: ExplainedText, { offset, token }: TextPlace): Hover | undefined {
  if (token?.kind !== "number" && token?.kind !== "punctuation") return undefined;
  for (const [traced, operator] of facts.document.built.operatorOf) {
    const { strategy } = traced;
    if (strategy?.kind !== "tuples") continue;
    const sides: readonly Side[] = [
      { ...inSide, tree: strategy.tree, values: strategy.values, operands: operator.inputs },
      {
        ...outSide,
        tree: strategy.outTree,
        values: strategy.outputs ?? [],
        operands: operator.outputs,
      },
    ];
    for (const side of sides) {
      const entry = entryAt(side.tree, offset, token.kind === "number");
      const words = entry && entryWords(facts, operator, side, entry);
      if (words !== undefined) return { span: token, ...words };
    }
  }
  return undefined;
}

const inSide = { name: "in_strategy", word: "Input" } as const;
const outSide = { name: "out_strategy", word: "Output" } as const;

/** One of the two arguments of `shard`. */
interface Side {
  readonly name: "in_strategy" | "out_strategy";
  readonly word: string;
  readonly tree: Tree;
  readonly values: readonly (readonly number[])[];
  readonly operands: Operator["inputs"];
}

interface Entry {
  readonly operand: number;
  /** Undefined for a whole tuple. */
  readonly dim: number | undefined;
}

type Tree = ExplainedText["document"]["trace"]["layouts"][number]["matrix"];

function entryAt(tree: Tree, offset: number, isNumber: boolean): Entry | undefined {
  const operand = tree?.items.findIndex(({ span }) => contains(span, offset)) ?? -1;
  const tuple = tree?.items[operand];
  if (tuple === undefined) return undefined;
  if (!isNumber) return tuple.kind === "tuple" ? { operand, dim: undefined } : undefined;
  const dim = tuple.items.findIndex(({ span }) => contains(span, offset));
  return dim < 0 ? undefined : { operand, dim };
}

function entryWords(
  { compiled }: ExplainedText,
  operator: Operator,
  { name: argument, word, values, operands }: Side,
  { operand, dim }: Entry,
): Pick<Hover, "title" | "lines"> | undefined {
  const numbers = values[operand];
  const read = operands[operand];
  if (numbers === undefined) return undefined;
  const tensor = compiled.graph.tensors.find(({ id }) => id === read?.tensor);
  const name = tensor?.name ?? `${word.toLowerCase()} ${operand}`;
  const shape = tensor?.shape ?? [];
  const plan = compiled.plan.operators.get(operator.id);
  const cuts = plan?.strategy.cuts ?? {};
  const isCut = (at: number) => read?.dims[at]?.splittable !== undefined;
  const slice = shape.map((size, at) => (isCut(at) ? Math.ceil(size / (numbers[at] ?? 1)) : size));
  const matrix = operator.axes.map((axis) => blockCount(fieldOf(cuts, axis.name) ?? []));
  const whole = `${word} ${operand} of ${operator.op} is ${name}`;
  const at = dim === undefined ? "" : `[${dim}]`;
  const value = dim === undefined ? `(${numbers.join(", ")})` : numbers[dim];
  const identifier = dim === undefined ? undefined : cutIdentifier(operator, read, dim);
  const reduced = argument === "out_strategy" && dim !== undefined && plan?.reduced?.dims[dim];
  const axes = axesText((reduced ? reduced.parts : identifier && fieldOf(cuts, identifier)) || []);
  return {
    title: `${argument}[${operand}]${at} = ${value}`,
    lines: [
      dim === undefined
        ? `${whole}: a number of pieces for each of its dims.`
        : `${whole}; its dim ${dim} (${identifier ?? "frozen"}, size ${shape[dim] ?? 1}): ${cutText(numbers[dim] ?? 1, axes)}.`,
      `Each slice of ${name} is (${slice.join(", ")}) of (${shape.join(", ")}).`,
      `Device matrix [${matrix.join(", ")}]${repeatText(compiled.mesh.mesh.devices.length, matrix)}.`,
      ...endText(operator, argument, matrix, numbers),
    ],
  };
}

/**
 * The identifier of the dim that a number of a tuple cuts; for MindSpore's Tile that of the dim's
 * repetitions.
 */
function cutIdentifier(
  operator: Operator,
  read: Operator["inputs"][number] | undefined,
  dim: number,
): string | undefined {
  const own = read?.dims[dim]?.splittable;
  return own ?? (operator.op === "Tile" ? operator.outputs[0]?.dims[dim]?.splittable : undefined);
}

function cutText(pieces: number, axes: string): string {
  if (pieces === 1) return "not split";
  return `${pieces} pieces${axes === "" ? "" : ` over ${axes}`}`;
}

/**
 * The lines that say how the operator reduces: by itself, or by the collective of an
 * `out_strategy`.
 */
function endText(
  operator: Operator,
  argument: Side["name"],
  matrix: readonly number[],
  numbers: readonly number[],
): readonly string[] {
  if (!operator.reducesInside) return [];
  if (argument === "in_strategy") return ["MindSpore completes sums inside the operator."];
  const summed = operator.axes.map(({ reduction }, at) =>
    reduction === "+" ? (matrix[at] ?? 1) : 1,
  );
  const parts = product(summed);
  if (parts === 1) return ["Nothing is summed here: the output lies as the inputs say."];
  const kept = matrix.reduce((product, count, at) => product * (count / (summed[at] ?? 1)), 1);
  const asked = product(numbers);
  return asked > kept
    ? [`The sum of ${parts} parts ends in a ReduceScatter: each device keeps its own rows of it.`]
    : [`The sum of ${parts} parts ends in an AllReduce: each device has all of it.`];
}

/** The text on MindSpore's repeated calculation: devices beyond the product of the matrix. */
function repeatText(devices: number, matrix: readonly number[]): string {
  const repeat = devices / product(matrix);
  const isRepeated = repeat > 1 && Number.isInteger(repeat);
  return ` on ${counted(devices, "device")}${isRepeated ? `, calculated ${repeat} times` : ""}`;
}
