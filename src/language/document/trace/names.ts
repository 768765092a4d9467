import type { Frame, Value } from "#language/python";
import type { TracedOperator, TracedTensor } from "./traced.ts";

/**
 * Name of a method's receiver: `layers[3]` in a module list, `encoder` alone; `undefined` for other
 * values.
 */
export type ModuleNameOf = (receiver: Value) => ModuleName | undefined;

/** A module's name inside its parent. */
export interface ModuleName {
  readonly name: string;
  /** Whether it is an item of a module list, which its index identifies even if it runs often. */
  readonly isElement: boolean;
  /** Path from the root module; absent for the root itself. */
  readonly path?: string;
}

/**
 * Gives every tensor its unique name (architecture.md §2.2).
 *
 * The name is the first simple name the tensor was bound to, after prefixes. `block[3].` marks a
 * running function that its caller runs more than once, `layers[3].` an item of a module list.
 * `encoder.` marks one of several modules of a class, `encoder[1].` a second run of it. A second
 * tensor under a taken name gets `#2`; an unnamed result is named after its operator, `matmul_1`.
 */
export function nameTensors(
  tensors: readonly TracedTensor[],
  operators: readonly TracedOperator[],
  placeOf: ModuleNameOf = () => undefined,
): ReadonlyMap<TracedTensor, string> {
  const stacks = stacksOf(tensors, operators);
  const prefixOf = prefixesOf(countRuns(stacks), placeOf);
  const taken = new Map<string, number>();
  const counters = new Map<string, number>();
  const names = new Map<TracedTensor, string>();
  for (const tensor of tensors) {
    const { name, isModuleVariable } = tensor;
    const isOwn = isModuleVariable && name?.frames.length === 0;
    if (name === undefined || !isOwn || taken.has(name.text)) continue;
    taken.set(name.text, 1);
    names.set(tensor, name.text);
  }
  for (const tensor of tensors) {
    if (names.has(tensor)) continue;
    const frames = tensor.name?.frames ?? tensor.frames;
    const prefix = prefixOf(frames);
    const full = prefix + (tensor.name?.text ?? unnamed(tensor, prefix, counters));
    const count = (taken.get(full) ?? 0) + 1;
    taken.set(full, count);
    names.set(tensor, count === 1 ? full : `${full}#${count}`);
  }
  return names;
}

/** Stacks of frames in which something was made or named, without duplicates. */
function stacksOf(
  tensors: readonly TracedTensor[],
  operators: readonly TracedOperator[],
): readonly (readonly Frame[])[] {
  const stacks = new Map<Frame | undefined, readonly Frame[]>();
  for (const { frames } of operators) stacks.set(frames.at(-1), frames);
  for (const { frames, name } of tensors) {
    stacks.set(frames.at(-1), frames);
    if (name !== undefined) stacks.set(name.frames.at(-1), name.frames);
  }
  return [...stacks.values()];
}

/** One run of a function in a run of its caller. */
interface Run {
  readonly receiver: Value | undefined;
  /**
   * Index among all runs, index among runs with the same receiver, and the number of the latter.
   */
  place: number;
  again: number;
  times: number;
}

/** Runs by caller's run, called function and ordinal. */
type Runs = ReadonlyMap<object | undefined, ReadonlyMap<object, ReadonlyMap<number, Run>>>;

/** Counted runs of functions. */
export interface CountedRuns {
  readonly runs: Runs;
  /** Identity object per run of a function. */
  readonly keyOf: (frame: Frame) => object;
}

/** Counts the runs of each function within each run of its caller. */
export function countRuns(stacks: readonly (readonly Frame[])[]): CountedRuns {
  const keys = new Map<object, Map<number, object>>();
  const keyOf = ({ callee, ordinal }: Frame): object => {
    const known = keys.get(callee) ?? new Map<number, object>();
    const key = known.get(ordinal) ?? {};
    keys.set(callee, known.set(ordinal, key));
    return key;
  };
  const runs = new Map<object | undefined, Map<object, Map<number, Run>>>();
  for (const stack of stacks) {
    let caller: object | undefined;
    for (const frame of stack) {
      const inside = runs.get(caller) ?? new Map<object, Map<number, Run>>();
      const places = inside.get(frame.callee) ?? new Map<number, Run>();
      const run = { receiver: frame.receiver, place: 0, again: 0, times: 1 };
      runs.set(caller, inside.set(frame.callee, places.set(frame.ordinal, run)));
      caller = keyOf(frame);
    }
  }
  for (const inside of runs.values()) for (const places of inside.values()) number(places);
  return { runs, keyOf };
}

/** Numbers the runs of a function in execution order. */
function number(places: ReadonlyMap<number, Run>): void {
  const ordered = [...places].sort(([a], [b]) => a - b).map(([, run]) => run);
  const alike = new Map<Value | undefined, Run[]>();
  for (const [place, run] of ordered.entries()) {
    const earlier = alike.get(run.receiver) ?? [];
    alike.set(run.receiver, earlier);
    Object.assign(run, { place, again: earlier.length });
    earlier.push(run);
  }
  for (const same of alike.values()) for (const run of same) run.times = same.length;
}

/** Name prefix of a stack, cached by its innermost frame. */
function prefixesOf(
  counted: CountedRuns,
  placeOf: ModuleNameOf,
): (stack: readonly Frame[]) => string {
  const known = new Map<Frame | undefined, string>();
  return (stack) => {
    const top = stack.at(-1);
    const prefix = known.get(top) ?? prefixOf(stack, counted, placeOf);
    known.set(top, prefix);
    return prefix;
  };
}

function prefixOf(
  stack: readonly Frame[],
  { runs, keyOf }: CountedRuns,
  placeOf: ModuleNameOf,
): string {
  let caller: object | undefined;
  return stack
    .map((frame) => {
      const places = runs.get(caller)?.get(frame.callee);
      caller = keyOf(frame);
      const run = places?.get(frame.ordinal);
      if (places === undefined || run === undefined || places.size < 2) return "";
      const place = frame.receiver === undefined ? undefined : placeOf(frame.receiver);
      if (place === undefined) return `${frame.name}[${run.place}].`;
      const isSeveral = !place.isElement && run.times > 1;
      return isSeveral ? `${place.name}[${run.again}].` : `${place.name}.`;
    })
    .join("");
}

/**
 * Name of an unnamed tensor. Numbering starts anew in each prefix, so that equal blocks have equal
 * names.
 */
function unnamed(tensor: TracedTensor, prefix: string, counters: Map<string, number>): string {
  const stem = tensor.producer?.stem ?? (tensor.role === "parameter" ? "parameter" : "input");
  const count = (counters.get(prefix + stem) ?? 0) + 1;
  counters.set(prefix + stem, count);
  return `${stem}_${count}`;
}
