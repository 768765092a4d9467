import type { Frame, Value } from "#language/python";
import type { TracedOperator, TracedTensor } from "./trace.ts";

/** Where the receiver of a method stands in a list of modules, e.g. `layers[3]`. */
export type PlaceOf = (receiver: Value) => string | undefined;

/**
 * Gives every tensor its unique name (design.md §2, "Names").
 *
 * The first simple name that it was bound to, with a prefix `block[3].` for every running function
 * that ran more than once where it was called, `layers[3].` in a list of modules; a second tensor under a taken name gets `#2`; a result without a name
 * is called after its operator, `matmul_1`.
 */
export function nameTensors(
  tensors: readonly TracedTensor[],
  operators: readonly TracedOperator[],
  placeOf: PlaceOf = () => undefined,
): ReadonlyMap<TracedTensor, string> {
  const stacks = stacksOf(tensors, operators);
  const prefixOf = prefixesOf(countRuns(stacks), placeOf);
  const taken = new Map<string, number>();
  const counters = new Map<string, number>();
  const names = new Map<TracedTensor, string>();
  for (const tensor of tensors) {
    const frames = tensor.name?.frames ?? tensor.frames;
    const prefix = prefixOf(frames);
    const full = prefix + (tensor.name?.text ?? unnamed(tensor, prefix, counters));
    const count = (taken.get(full) ?? 0) + 1;
    taken.set(full, count);
    names.set(tensor, count === 1 ? full : `${full}#${count}`);
  }
  return names;
}

/** The stacks of running functions that something was made or named in, each once. */
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

/** Per run of a caller and function called in it, the places of its runs in their order. */
type Runs = ReadonlyMap<object | undefined, ReadonlyMap<object, ReadonlyMap<number, number>>>;

interface CountedRuns {
  readonly runs: Runs;
  /** One object per run of a function, so that runs can be told apart. */
  readonly keyOf: (frame: Frame) => object;
}

function countRuns(stacks: readonly (readonly Frame[])[]): CountedRuns {
  const keys = new Map<object, Map<number, object>>();
  const keyOf = ({ callee, ordinal }: Frame): object => {
    const known = keys.get(callee) ?? new Map<number, object>();
    const key = known.get(ordinal) ?? {};
    keys.set(callee, known.set(ordinal, key));
    return key;
  };
  const runs = new Map<object | undefined, Map<object, Map<number, number>>>();
  for (const stack of stacks) {
    let caller: object | undefined;
    for (const frame of stack) {
      const inside = runs.get(caller) ?? new Map<object, Map<number, number>>();
      const places = inside.get(frame.callee) ?? new Map<number, number>();
      runs.set(caller, inside.set(frame.callee, places.set(frame.ordinal, 0)));
      caller = keyOf(frame);
    }
  }
  for (const places of [...runs.values()].flatMap((inside) => [...inside.values()])) {
    const ordered = [...places.keys()].sort((a, b) => a - b);
    for (const [place, ordinal] of ordered.entries()) places.set(ordinal, place);
  }
  return { runs, keyOf };
}

/** The prefix of a stack, found once for every running function on top of one. */
function prefixesOf(counted: CountedRuns, placeOf: PlaceOf): (stack: readonly Frame[]) => string {
  const known = new Map<Frame | undefined, string>();
  return (stack) => {
    const top = stack.at(-1);
    const prefix = known.get(top) ?? prefixOf(stack, counted, placeOf);
    known.set(top, prefix);
    return prefix;
  };
}

function prefixOf(stack: readonly Frame[], { runs, keyOf }: CountedRuns, placeOf: PlaceOf): string {
  let caller: object | undefined;
  return stack
    .map((frame) => {
      const places = runs.get(caller)?.get(frame.callee);
      caller = keyOf(frame);
      if (places === undefined || places.size < 2) return "";
      const place = frame.receiver === undefined ? undefined : placeOf(frame.receiver);
      return `${place ?? `${frame.name}[${places.get(frame.ordinal)}]`}.`;
    })
    .join("");
}

/** Results without a name are counted where they are made, so that blocks name theirs alike. */
function unnamed(tensor: TracedTensor, prefix: string, counters: Map<string, number>): string {
  const stem = tensor.producer?.stem ?? (tensor.role === "parameter" ? "parameter" : "input");
  const count = (counters.get(prefix + stem) ?? 0) + 1;
  counters.set(prefix + stem, count);
  return `${stem}_${count}`;
}
