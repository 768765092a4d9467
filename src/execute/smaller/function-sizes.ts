import type { Operand, OperandDim, Operator } from "#core/ir";
import { axisNode, dimNode, type Factor, type ShapeOf, type SizeRelation } from "./size-nodes.ts";

/** Largest argument of a function that is assumed to be a number of parts, such as heads. */
const mostParts = 64;

/**
 * The relations between a registered function's sizes. Its body may rely on everything that its
 * annotation fixes: numbers, arguments, and in brackets all but one identifier that occurs nowhere
 * else.
 */
export function functionRelations(
  operator: Operator,
  shapeOf: ShapeOf,
  deviceCount: number,
): readonly SizeRelation[] {
  const axes = new Set(operator.axes.map(({ name }) => name));
  const free = freeAxes(operator);
  const tied = tiedNames(operator, axes);
  const loose = new Set([...free.values()].map(({ name }) => name));
  return operandsOf(operator).flatMap(({ tensor, dims }) =>
    dims.flatMap((each, dim): readonly SizeRelation[] => {
      const node = dimNode(tensor, dim);
      const bracket = free.get(each.identifiers.join(" "));
      const isTied = each.identifiers.some(
        (name) => name !== "1" && (tied.has(name) || !axes.has(name)) && !loose.has(name),
      );
      const parts = partCounts(operator).filter(
        (count) => (shapeOf(tensor)[dim] ?? 1) % count === 0,
      );
      return [
        ...namesOf(operator, each, axes).map(
          (factors): SizeRelation => ({ kind: "product", left: [node], right: factors }),
        ),
        ...(isTied && bracket === undefined ? [{ kind: "pinned", node } as const] : []),
        ...tiedIn(operator, each, axes, bracket?.name),
        ...(bracket?.isLeading === true
          ? [{ kind: "multiple", node, of: bracket.beside * deviceCount } as const]
          : []),
        ...parts.map((of) => ({ kind: "multiple", node, of }) as const),
      ];
    }),
  );
}

/** Relations that pin the axes of a bracket, all but the free one. */
function tiedIn(
  operator: Operator,
  { identifiers }: OperandDim,
  axes: ReadonlySet<string>,
  free: string | undefined,
): readonly SizeRelation[] {
  if (identifiers.length < 2) return [];
  return identifiers.flatMap((name): SizeRelation[] =>
    name !== free && axes.has(name) ? [{ kind: "pinned", node: axisNode(operator, name) }] : [],
  );
}

/** Sizes whose product is a dim, if identifiers determine them. */
function namesOf(
  operator: Operator,
  { identifiers }: OperandDim,
  axes: ReadonlySet<string>,
): readonly (readonly Factor[])[] {
  const names = identifiers.filter((name) => name !== "1");
  const isNumber = names.length === 1 && !axes.has(names[0] ?? "");
  if (names.length === 0 || isNumber) return [];
  return [names.map((name) => (axes.has(name) ? axisNode(operator, name) : Number(name)))];
}

/** Identifiers of brackets, and names that the call has arguments for. */
function tiedNames(operator: Operator, axes: ReadonlySet<string>): ReadonlySet<string> {
  const dims = operandsOf(operator).flatMap((operand) => operand.dims);
  const isPlain = ({ identifiers }: OperandDim) =>
    identifiers.length === 1 && identifiers.every((name) => name === "1" || axes.has(name));
  return new Set([
    ...dims.flatMap((dim) => (isPlain(dim) ? [] : dim.identifiers)),
    ...Object.keys(operator.attributes),
  ]);
}

function operandsOf({ inputs, outputs }: Operator): readonly Operand[] {
  return [...inputs, ...outputs];
}

/** Arguments of a function that may be numbers of parts: sizes that they divide stay divisible. */
function partCounts({ attributes }: Operator): readonly number[] {
  return Object.values(attributes).filter(
    (value): value is number =>
      typeof value === "number" && Number.isInteger(value) && value > 1 && value <= mostParts,
  );
}

interface FreeAxis {
  readonly name: string;
  /** The product of the other sizes in its bracket. */
  readonly beside: number;
  /** Whether it leads the bracket, so that its pieces must stay equal. */
  readonly isLeading: boolean;
}

/** Axis that may change its size, by the text of its bracket. */
function freeAxes(operator: Operator): ReadonlyMap<string, FreeAxis> {
  const brackets = operandsOf(operator)
    .flatMap(({ dims }) => dims)
    .filter(({ identifiers }) => identifiers.length > 1);
  return new Map(
    brackets.flatMap((dim) => {
      const free = freeAxis(operator, dim);
      return free === undefined ? [] : [[dim.identifiers.join(" "), free] as const];
    }),
  );
}

/**
 * Identifier that occurs only in this bracket and is no argument, so its size is free; preferably
 * not the first one. `undefined` if there is none.
 */
function freeAxis(
  operator: Operator,
  { identifiers, splittable }: OperandDim,
): FreeAxis | undefined {
  const text = identifiers.join(" ");
  const sizes = new Map(operator.axes.map(({ name, size }) => [name, size]));
  const others = operandsOf(operator)
    .flatMap(({ dims }) => dims)
    .filter((dim) => dim.identifiers.join(" ") !== text);
  const isFree = (name: string) =>
    sizes.has(name) &&
    !Object.hasOwn(operator.attributes, name) &&
    !others.some((dim) => dim.identifiers.includes(name)) &&
    identifiers.filter((each) => each === name).length === 1;
  const name = identifiers.findLast((each) => isFree(each) && each !== splittable);
  const chosen = name ?? identifiers.find(isFree);
  if (chosen === undefined) return undefined;
  const rest = identifiers.filter((each) => each !== chosen);
  const beside = rest.reduce((product, each) => product * (sizes.get(each) ?? Number(each)), 1);
  return { name: chosen, beside, isLeading: chosen === splittable };
}
