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
  const all = tensors.flatMap(({ frames, name }) => (name ? [frames, name.frames] : [frames]));
  const runs = countRuns([...all, ...operators.map((operator) => operator.frames)]);
  const taken = new Map<string, number>();
  const counters = new Map<string, number>();
  const names = new Map<TracedTensor, string>();
  for (const tensor of tensors) {
    const frames = tensor.name?.frames ?? tensor.frames;
    const prefix = prefixOf(frames, runs, placeOf);
    const full = prefix + (tensor.name?.text ?? unnamed(tensor, prefix, counters));
    const count = (taken.get(full) ?? 0) + 1;
    taken.set(full, count);
    names.set(tensor, count === 1 ? full : `${full}#${count}`);
  }
  return names;
}

/** Runs of each function inside each run of its caller, in the order in which they happened. */
type Runs = ReadonlyMap<object | undefined, ReadonlyMap<object, readonly number[]>>;

/** One object per run of a function, so that runs can be told apart. */
function countRuns(stacks: readonly (readonly Frame[])[]): {
  readonly runs: Runs;
  readonly keyOf: (frame: Frame) => object;
} {
  const keys = new Map<object, Map<number, object>>();
  const keyOf = ({ callee, ordinal }: Frame): object => {
    const known = keys.get(callee) ?? new Map<number, object>();
    const key = known.get(ordinal) ?? {};
    keys.set(callee, known.set(ordinal, key));
    return key;
  };
  const runs = new Map<object | undefined, Map<object, number[]>>();
  for (const stack of stacks) {
    let caller: object | undefined;
    for (const frame of stack) {
      const inside = runs.get(caller) ?? new Map<object, number[]>();
      const ordinals = inside.get(frame.callee) ?? [];
      if (!ordinals.includes(frame.ordinal)) ordinals.push(frame.ordinal);
      runs.set(caller, inside.set(frame.callee, ordinals));
      caller = keyOf(frame);
    }
  }
  for (const inside of runs.values()) {
    for (const ordinals of inside.values()) ordinals.sort((a, b) => a - b);
  }
  return { runs, keyOf };
}

function prefixOf(
  stack: readonly Frame[],
  { runs, keyOf }: ReturnType<typeof countRuns>,
  placeOf: PlaceOf,
): string {
  let caller: object | undefined;
  return stack
    .map((frame) => {
      const ordinals = runs.get(caller)?.get(frame.callee) ?? [];
      caller = keyOf(frame);
      if (ordinals.length < 2) return "";
      const place = frame.receiver === undefined ? undefined : placeOf(frame.receiver);
      return `${place ?? `${frame.name}[${ordinals.indexOf(frame.ordinal)}]`}.`;
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
