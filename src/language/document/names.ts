import type { Frame } from "#language/python";
import type { TracedOperator, TracedTensor } from "./trace.ts";

/**
 * Gives every tensor its unique name (design.md §2, "Names").
 *
 * The first simple name that it was bound to, with a prefix `block[3].` for every running function
 * that ran more than once; a second tensor under a taken name gets `#2`; a result without a name
 * is called after its operator, `matmul_1`.
 */
export function nameTensors(
  tensors: readonly TracedTensor[],
  operators: readonly TracedOperator[],
): ReadonlyMap<TracedTensor, string> {
  const runs = countRuns([...tensors.flatMap(framesOf), ...operators.flatMap((op) => op.frames)]);
  const taken = new Map<string, number>();
  const counters = new Map<string, number>();
  const names = new Map<TracedTensor, string>();
  for (const tensor of tensors) {
    const frames = tensor.name?.frames ?? tensor.frames;
    const base = tensor.name?.text ?? unnamed(tensor, counters);
    const full = prefixOf(frames, runs) + base;
    const count = (taken.get(full) ?? 0) + 1;
    taken.set(full, count);
    names.set(tensor, count === 1 ? full : `${full}#${count}`);
  }
  return names;
}

function framesOf(tensor: TracedTensor): readonly Frame[] {
  return [...tensor.frames, ...(tensor.name?.frames ?? [])];
}

function countRuns(frames: readonly Frame[]): ReadonlyMap<object, number> {
  const runs = new Map<object, number>();
  for (const { callee, ordinal } of frames) {
    runs.set(callee, Math.max(runs.get(callee) ?? 0, ordinal + 1));
  }
  return runs;
}

function prefixOf(frames: readonly Frame[], runs: ReadonlyMap<object, number>): string {
  return frames
    .filter(({ callee }) => (runs.get(callee) ?? 0) > 1)
    .map(({ name, ordinal }) => `${name}[${ordinal}].`)
    .join("");
}

function unnamed(tensor: TracedTensor, counters: Map<string, number>): string {
  const stem = tensor.producer?.stem ?? (tensor.role === "parameter" ? "parameter" : "input");
  const count = (counters.get(stem) ?? 0) + 1;
  counters.set(stem, count);
  return `${stem}_${count}`;
}
