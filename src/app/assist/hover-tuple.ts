import type { Operator } from "#core/ir";
import type { Facts } from "./facts.ts";
import type { Hover } from "./hover.ts";
import { contains, type Place } from "./place.ts";
import { axesText, counted, piecesOf } from "./words.ts";

/** An entry of `.shard(((4, 1), (1, 1)))`: the dim, into how many pieces, and the slice. */
export function tupleHover(facts: Facts, { offset, token }: Place): Hover | undefined {
  if (token?.kind !== "number") return undefined;
  for (const [traced, operator] of facts.document.built.operatorOf) {
    const { strategy } = traced;
    if (strategy?.kind !== "tuples") continue;
    const entry = entryAt(strategy.tree, offset);
    const numbers = entry && strategy.values[entry.operand];
    if (entry !== undefined && numbers !== undefined) {
      return { span: token, ...entryWords(facts, operator, numbers, entry) };
    }
  }
  return undefined;
}

interface Entry {
  readonly operand: number;
  readonly dim: number;
}

type Tree = Facts["document"]["trace"]["layouts"][number]["matrix"];

function entryAt(tree: Tree, offset: number): Entry | undefined {
  const operand = tree?.items.findIndex(({ span }) => contains(span, offset)) ?? -1;
  const dim = tree?.items[operand]?.items.findIndex(({ span }) => contains(span, offset)) ?? -1;
  return dim < 0 ? undefined : { operand, dim };
}

function entryWords(
  { compiled }: Facts,
  operator: Operator,
  numbers: readonly number[],
  { operand, dim }: Entry,
): Pick<Hover, "title" | "lines"> {
  const read = operator.inputs[operand];
  const tensor = compiled.graph.tensors.find(({ id }) => id === read?.tensor);
  const name = tensor?.name ?? `input ${operand}`;
  const shape = tensor?.shape ?? [];
  const size = shape[dim] ?? 1;
  const pieces = numbers[dim] ?? 1;
  const slice = shape.map((whole, at) => Math.ceil(whole / (numbers[at] ?? 1)));
  const identifier = read?.dims[dim]?.splittable;
  const cuts = compiled.plan.operators.get(operator.id)?.strategy.cuts ?? {};
  const axes = axesText((identifier && cuts[identifier]) || []);
  const matrix = operator.axes.map((axis) => piecesOf(cuts[axis.name] ?? []));
  const cut = pieces === 1 ? "not split" : `${pieces} pieces${axes === "" ? "" : ` over ${axes}`}`;
  return {
    title: `in_strategy[${operand}][${dim}] = ${pieces}`,
    lines: [
      `Input ${operand} of ${operator.op} is ${name}; its dim ${dim} (${identifier ?? "frozen"}, size ${size}): ${cut}.`,
      `Each slice of ${name} is (${slice.join(", ")}) of (${shape.join(", ")}).`,
      `Device matrix [${matrix.join(", ")}]${repeatText(compiled.mesh.mesh.devices.length, matrix)}.`,
      ...(operator.reducesInside ? ["MindSpore completes sums inside the operator."] : []),
    ],
  };
}

/** MindSpore's repeated calculation: devices that the matrix leaves over. */
function repeatText(devices: number, matrix: readonly number[]): string {
  const repeat = devices / matrix.reduce((product, count) => product * count, 1);
  const isRepeated = repeat > 1 && Number.isInteger(repeat);
  return ` on ${counted(devices, "device")}${isRepeated ? `, calculated ${repeat} times` : ""}`;
}
