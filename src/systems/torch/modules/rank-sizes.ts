import { product } from "#core/arithmetic";
import type { Operator, TensorId } from "#core/ir";
import { localShape, type Part } from "#core/mesh";
import { NotWritten, ofModule, type TextNumber } from "#systems/arrays";
import type { ForwardFlow } from "./forward-flow.ts";
import { saidOperator } from "./leaves.ts";
import type { Place } from "./place.ts";

/** How a rank has the values of a model: by styles along one axis, and as they lie along all others. */
export interface RankView {
  readonly flow: ForwardFlow;
  readonly axis?: string;
  /** How a tensor lies along the axis as a module has it. */
  readonly seenIn: (id: TensorId, path: string) => Place;
  /** Whether a module runs on DTensors, whose sizes along the axis are those of the whole. */
  readonly isOnWhole: (path: string) => boolean;
}

/**
 * Checks sizes in the text, which runs on each rank on the rank's own block: they must be the
 * block's sizes. @throws NotWritten for a size of the whole tensor, and where it is not known which
 */
export function checkSizes(view: RankView): void {
  const { flow } = view;
  for (const [id, numbers] of flow.modules.made) {
    const tensor = flow.tensors.get(id);
    const isInside = flow.readsInside(id).length > 0;
    if (tensor === undefined || !isInside) continue;
    for (const each of numbers)
      if (onRank(each, view, "") !== each.value)
        throw new NotWritten(
          `${tensor.name} is made by the size of a tensor of which a rank has a part`,
          makersOf(each, flow),
        );
  }
  for (const step of flow.steps) {
    const operator = flow.operatorOf(step);
    const path = flow.pathOf(operator);
    if (path === undefined || view.isOnWhole(path)) continue;
    ofModule(path, () => checkOperator(view, operator, path));
  }
}

/** The modules that make the tensors whose sizes a number follows from. */
function makersOf(number: TextNumber, flow: ForwardFlow): readonly (string | undefined)[] {
  if (number.kind === "size") return [flow.madeIn(number.tensor)];
  return number.kind === "known"
    ? []
    : number.operands.flatMap((operand) => makersOf(operand, flow));
}

function checkOperator(view: RankView, operator: Operator, path: string): void {
  const parameter = shapeParameters[operator.entry ?? ""];
  for (const [name, numbers] of view.flow.modules.numbers.get(operator.id) ?? [])
    if (name !== parameter) checkNumbers(view, operator, path, numbers);
  const [output] = operator.outputs;
  if (output === undefined || parameter === undefined) return;
  const shape = operator.attributes[parameter];
  const list = typeof shape === "number" ? [shape] : shape;
  if (Array.isArray(list))
    checkShape(view, operator, path, { parameter, list, made: output.tensor });
  else checkKept(view, operator, path);
}

/**
 * Arguments that are no sizes of the result must have the same value on a rank as on the whole
 * tensor.
 */
function checkNumbers(
  view: RankView,
  operator: Operator,
  path: string,
  numbers: readonly TextNumber[],
): void {
  const other = numbers.find((each) => onRank(each, view, path) !== each.value);
  if (other !== undefined)
    throw new NotWritten(
      `${saidOperator(view.flow, operator, path)} is given ${other.value}, which follows from a size of which a rank has a part`,
    );
}

interface GivenShape {
  readonly parameter: string;
  readonly list: readonly number[];
  readonly made: TensorId;
}

/** Sizes of a made tensor must be those of the rank's own block. */
function checkShape(
  view: RankView,
  operator: Operator,
  path: string,
  { parameter, list, made }: GivenShape,
): void {
  const { flow } = view;
  const wanted = localShape(flow.madeLayout(made), flow.tensor(made).shape);
  const numbers =
    flow.modules.numbers.get(operator.id)?.get(parameter) ??
    list.map((value): TextNumber => ({ kind: "known", value }));
  for (const [at, each] of numbers.entries()) {
    const own = onRank(each, view, path);
    if (each.value === -1 || own === wanted[at]) continue;
    const size = own === undefined ? "of a size that is not followed" : `${own}`;
    const instead = each.kind === "known" ? insteadOf(each.value, flow, path) : "";
    throw new NotWritten(
      `${saidOperator(flow, operator, path)} makes dim ${at} ${size} where a rank has ${wanted[at]}${instead}`,
    );
  }
}

/**
 * Advice for a number of the text: `-1`, with the module's attributes that hold the same number.
 */
function insteadOf(value: number, { modules }: ForwardFlow, path: string): string {
  const names = [...(modules.held.get(path) ?? [])].flatMap(([name, own]) =>
    own === value ? [`self.${name}`] : [],
  );
  if (names.length === 0 || value === 1) return ": write -1 for it";
  const own = modules.classesOf.get(path)?.[0] ?? "the class";
  return `: write -1 for it (${own} has ${value} as ${names.join(" and ")}, on each rank the whole)`;
}

/**
 * By entry, the parameter that lists the sizes of the result; a size of -1 follows from the
 * operand.
 */
const shapeParameters: Readonly<Record<string, string>> = { reshape: "shape", expand: "size" };

/** A reshape without a list of sizes must not split or merge a cut dim. */
function checkKept(view: RankView, operator: Operator, path: string): void {
  const { flow } = view;
  const isCut = (parts: readonly Part[]) => parts.some(({ kind }) => kind === "axis");
  for (const { tensor: id, dims } of [...operator.inputs.slice(0, 1), ...operator.outputs]) {
    const layout =
      flow.reads.get(id)?.find((each) => each.operator === operator)?.layout ?? flow.madeLayout(id);
    for (const [at, { identifiers }] of dims.entries())
      if (identifiers.length > 1 && isCut(layout.dims[at]?.parts ?? []) && at > 0)
        throw new NotWritten(
          `${saidOperator(flow, operator, path)} splits or joins dim ${at} of ${flow.tensor(id).name}, of which a rank has a part, by sizes that are not followed here`,
        );
  }
}

/** A number as the text works it out on a rank; undefined where that is not known. */
function onRank(number: TextNumber, view: RankView, path: string): number | undefined {
  if (number.kind === "known") return number.value;
  if (number.kind === "size") return sizeOnRank(number, view, path);
  const operands = number.operands.map((each) => onRank(each, view, path));
  const known = operands.filter((each) => each !== undefined);
  if (known.length < operands.length) return undefined;
  const isSame = number.operands.every((each, at) => each.value === known[at]);
  if (isSame && number.operator !== "unknown") return number.value;
  const [a = 0, b = 0] = known;
  return arithmetic[number.operator]?.(a, b, known);
}

const arithmetic: Readonly<
  Record<string, (a: number, b: number, all: readonly number[]) => number>
> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "//": (a, b) => Math.floor(a / b),
  "/": (a, b) => a / b,
  prod: (_a, _b, all) => product(all),
};

function sizeOnRank(
  { value, tensor: id, dim, path: asked }: Extract<TextNumber, { kind: "size" }>,
  view: RankView,
  path: string,
): number | undefined {
  const { flow, axis } = view;
  const { role, shape } = flow.tensor(id);
  const isHandedOn = role === "activation" || role === "input";
  const layout = flow.madeLayout(id);
  if (!isHandedOn) return value;
  const where = asked ?? path;
  const along = layout.mesh.axes.find(({ name }) => name === axis);
  const isHere = (part: Part) => part.kind === "axis" && part.axis === axis;
  const others = layout.dims.map((each) => ({
    ...each,
    parts: each.parts.filter((part) => !isHere(part)),
  }));
  const size = localShape({ ...layout, dims: others, partials: [] }, shape)[dim];
  if (size === undefined || along === undefined || view.isOnWhole(where)) return size;
  const place = view.seenIn(id, where);
  return place.kind === "cut" && place.dim === dim ? size / along.size : size;
}
