import { sameBox, volumeOf } from "#core/indexspace";
import { isReshape } from "#core/ir";
import { type Body, type Expr, operatorBody } from "#core/ir/body";
import { createWriteCounter } from "#execute/engine";
import { indexSums, operandMoves } from "./counter-moves.ts";
import type { BufferId } from "./gpu-program.ts";
import type { FollowingWork, LocalWork } from "./local-work.ts";
import { type OutputSpace, storeSpace, type Target } from "./output-space.ts";
import type { ProgramBuilder } from "./program-builder.ts";
import { type ClassWork, classesOf, holdsAll } from "./range-classes.ts";
import type { Scope } from "./scope.ts";
import { arrangeTables } from "./tables.ts";

/**
 * Step that computes each cell of its result from one cell of another step's result. That step's
 * kernel computes both and stores both, with the intermediate value in a register.
 */
export interface Follower {
  readonly scope: Omit<Scope, "text" | "registers" | "hasQuads">;
  readonly space: OutputSpace;
  readonly target: BufferId;
  /** Value of a cell; the leading operator's current value is the table `atHand`. */
  readonly value: Expr;
  /**
   * Distance in words between neighbouring cells of the leading result, by counter of its space.
   */
  readonly strides: readonly number[];
  readonly followers: readonly Follower[];
}

/** Name of the table that represents the leading operator's current value. */
export const atHand = "#at hand";

/** Blocks of a result that a class of devices computes, written whole. */
export interface MadeBlocks {
  readonly alike: ClassWork;
  readonly targets: readonly Target[];
  readonly buffer: BufferId;
}

/** Followers of a step: for each class of its devices, and as a list of steps. */
export interface FoundFollowers {
  readonly of: (alike: ClassWork) => readonly Follower[];
  readonly taken: ReadonlySet<FollowingWork>;
}

/** Computed result with the followers found for it. */
interface Made extends MadeBlocks {
  readonly followers: Follower[];
}

/**
 * Candidates among some steps that a step's kernels can compute too, as many as the binding limit
 * allows.
 */
export function followersOf(
  builder: ProgramBuilder,
  made: readonly MadeBlocks[],
  buffers: number,
  candidates: readonly FollowingWork[],
): FoundFollowers {
  const roots = made.map((each): Made => ({ ...each, followers: [] }));
  const results = new Map<BufferId, readonly Made[]>();
  for (const root of roots) results.set(root.buffer, roots);
  const taken = new Set<FollowingWork>();
  let bound = buffers;
  for (const work of candidates) {
    const before = results.get(work.reads);
    const target = work.outputs[0]?.buffer;
    if (before === undefined || target === undefined) continue;
    const others = work.inputs.filter(({ buffer }) => buffer !== work.reads);
    if (others.some(({ buffer }) => results.has(buffer))) continue;
    if (bound + others.length + 1 > builder.limits.storageBuffers) continue;
    const after = followedBy(builder, before, work);
    if (after === undefined) continue;
    bound += others.length + 1;
    taken.add(work);
    results.set(target, after);
  }
  const byClass = new Map(roots.map(({ alike, followers }) => [alike, followers]));
  return { of: (alike) => byClass.get(alike) ?? [], taken };
}

/**
 * The results of a step that follow from earlier ones, class by class; `undefined` if not all of
 * them do.
 */
function followedBy(
  builder: ProgramBuilder,
  before: readonly Made[],
  work: FollowingWork,
): readonly Made[] | undefined {
  const { call, body } = operatorBody(work.operator, work.shapeOf);
  if (!isWrittenOnce(work) || !holdsAll(work) || !areWhole(work)) return undefined;
  const classes = classesOf(builder, work, call, body);
  if (classes.length !== before.length) return undefined;
  const pairs = before.flatMap((each) => {
    const alike = classes.find((one) => areSameDevices(one, each.alike));
    const next = alike && nextTo(builder, each, alike, body);
    return next === undefined ? [] : [{ each, next }];
  });
  if (pairs.length !== before.length) return undefined;
  for (const { each, next } of pairs) each.followers.push(next.follower);
  return pairs.map(({ next }) => next.made);
}

/** Whether an operator has a single result whose cells are computed without sums. */
export function isPlain({ call, body, points }: ReturnType<typeof operatorBody>): boolean {
  const tables = arrangeTables(body, call);
  return (
    points === undefined &&
    body.outputs.length === 1 &&
    body.outputs[0]?.over.length === 0 &&
    tables.stored.length === 0 &&
    tables.foldsOf(0).length === 0
  );
}

/** Whether no device computes a cell of its results twice. */
export function isWrittenOnce({ operator, ranges }: LocalWork): boolean {
  const writesOf = createWriteCounter(operator);
  return ranges.every((range) => range.outputs.every((_, at) => writesOf(range, at) === 0));
}

function areSameDevices(a: ClassWork, b: ClassWork): boolean {
  return (
    a.instances.length === b.instances.length &&
    a.instances.every(({ range }, at) => range.device === b.instances[at]?.range.device)
  );
}

/**
 * A class of a step as follower of the results that the same devices made before; `undefined` if
 * cells do not match.
 */
function nextTo(
  { numbers }: ProgramBuilder,
  { targets: sources, buffer }: MadeBlocks,
  alike: ClassWork,
  body: Body,
): { readonly follower: Follower; readonly made: Made } | undefined {
  const [output, definition] = [alike.outputs[0], body.outputs[0]];
  if (output === undefined || definition === undefined) return undefined;
  const targets = output.targetsOf(alike.instances);
  const space = storeSpace(alike.call, alike.call.outputs[0] ?? { dims: [] }, targets);
  const inline = arrangeTables(body, alike.call).inline;
  const { call, operands, instances } = alike;
  const common = { call, operands, instances: instances.length, isExact: numbers.isExact };
  const scope = { ...common, tables: new Map<string, Expr>(inline) };
  const values = { value: definition.value, inline };
  const taken = isReshape(call, body)
    ? reshapedFrom(alike, buffer, space, [sources, targets])
    : takenFrom(scope, space, { sources, buffer }, values);
  if (taken === undefined) return undefined;
  const followers: Follower[] = [];
  const { strides, value, tables = inline } = taken;
  const target = output.buffer;
  const all = { scope: { ...scope, tables }, space, target, strides, value, followers };
  return { follower: all, made: { alike, targets, buffer: target, followers } };
}

/**
 * Use of the leading operator's value in a follower: the cell that it belongs to, and the value
 * computed from it.
 */
interface Taken {
  readonly strides: readonly number[];
  readonly value: Expr;
  readonly tables?: ReadonlyMap<string, Expr>;
}

/** The use by a reshape, if a device's block is a reshape of its operand's block too. */
function reshapedFrom(
  { operands }: ClassWork,
  buffer: BufferId,
  { counters }: OutputSpace,
  [sources, targets]: readonly [readonly Target[], readonly Target[]],
): Taken | undefined {
  const view = operands[0]?.main;
  const isSame = sources.every(({ box, origin }, at) => {
    const target = targets[at];
    const isWhole = target !== undefined && volumeOf(target.box) === volumeOf(box);
    return isWhole && view?.buffer === buffer && view.origins[at] === origin;
  });
  const value: Expr = { kind: "table", name: atHand };
  return isSame ? { strides: counters.map(({ step }) => step), value } : undefined;
}

/** The use by an operator that reads the operand at its projection, once or several times. */
function takenFrom(
  scope: Follower["scope"],
  space: OutputSpace,
  { sources, buffer }: Pick<MadeBlocks, "buffer"> & { readonly sources: readonly Target[] },
  { value, inline }: { readonly value: Expr; readonly inline: ReadonlyMap<string, Expr> },
): Taken | undefined {
  const read = [...scope.operands.keys()].filter((at) =>
    scope.operands[at]?.all.some((view) => view.buffer === buffer),
  );
  const all = read.map((operand) => stridesIn(operand, scope, space, sources));
  const [strides] = all;
  if (strides === undefined || all.some((each) => String(each) !== String(strides))) {
    return undefined;
  }
  if ([value, ...inline.values()].some((expr) => looksUp(expr, read))) return undefined;
  const tables = new Map([...inline].map(([name, expr]) => [name, fromHand(expr, read)]));
  return { strides, tables, value: fromHand(value, read) };
}

/** Whether devices write their whole block of a result, each of them in one part. */
export function areWhole({ outputs: [output], ranges }: LocalWork): boolean {
  return ranges.every(({ device, outputs: [written] }) => {
    const [block, ...others] = output?.blocks.get(device) ?? [];
    return others.length === 0 && block !== undefined && sameBox(block.box, written?.box ?? []);
  });
}

/**
 * For each counter of a space, the words of a source that one step moves; `undefined` unless every
 * cell of the source belongs to exactly one place of the counters.
 */
function stridesIn(
  operand: number,
  scope: Follower["scope"],
  space: OutputSpace,
  sources: readonly Target[],
): readonly number[] | undefined {
  const none = () => ({ length: 0, starts: [] });
  const moves = operandMoves(operand, scope, indexSums(space, [], none));
  if (moves === undefined) return undefined;
  const firsts = sources.map(({ box, strides, origin }) =>
    box.reduce((word, { start }, dim) => word + start * (strides[dim] ?? 0), origin),
  );
  if (String(firsts) !== String(moves.bases)) return undefined;
  const dims = space.counters.map(({ name, length }) => ({ length, stride: moves.along(name) }));
  const moving = dims.filter(({ length }) => length > 1).sort((a, b) => a.stride - b.stride);
  let words = 1;
  for (const { length, stride } of moving) {
    if (stride !== words) return undefined;
    words *= length;
  }
  const isAll = sources.every(({ box }) => volumeOf(box) === words);
  return isAll ? dims.map(({ length, stride }) => (length > 1 ? stride : 0)) : undefined;
}

/** Expression in which some operands are the leading operator's value instead of reads. */
function fromHand(expr: Expr, operands: readonly number[]): Expr {
  if (expr.kind === "read" && expr.at === undefined) {
    return operands.includes(expr.operand) ? { kind: "table", name: atHand } : expr;
  }
  if (expr.kind === "read" && expr.at !== undefined) {
    return { ...expr, at: expr.at.map((each) => fromHand(each, operands)) };
  }
  if (expr.kind !== "apply") return expr;
  return { ...expr, args: expr.args.map((each) => fromHand(each, operands)) };
}

/** Whether an expression reads some operands elsewhere than at their projection. */
function looksUp(expr: Expr, operands: readonly number[]): boolean {
  if (expr.kind === "read") {
    if (expr.at === undefined) return false;
    return operands.includes(expr.operand) || expr.at.some((each) => looksUp(each, operands));
  }
  return expr.kind === "apply" && expr.args.some((each) => looksUp(each, operands));
}
