// Path of the module in which an operator runs.

import type { Frame } from "#language/python";
import { type CountedRuns, countRuns, type ModuleNameOf } from "../trace/names.ts";
import type { TracedOperator } from "../trace/traced.ts";

/**
 * Path of the innermost module that runs each operator, as the text writes it:
 * `blocks[3].attn.qkv`. Rules: the model itself has an empty path; several root models start with
 * their variable. A function of the text counts as a module by its name, numbered when it runs at
 * several places (`block[3]`); a repeated run of a module is numbered too (`encoder[1]`). A
 * function around everything that calls modules, a script's `main`, does not count. In library
 * modules a layer has its own path, other operators that of the module whose method runs; those of
 * functions go beside the previous layer.
 */
export function modulePaths(
  operators: readonly TracedOperator[],
  placeOf: ModuleNameOf = () => undefined,
): (operator: TracedOperator) => string {
  const stacks = new Map(operators.map(({ frames }) => [frames.at(-1), frames]));
  const counted = countRuns([...stacks.values()]);
  const roots = rootsIn(stacks.values(), placeOf);
  const scripts = scriptsIn(operators, [...stacks.values()], placeOf);
  const known = new Map<Frame | undefined, string>();
  const pathOfStack = (frames: readonly Frame[]): string => {
    const top = frames.at(-1);
    const path = known.get(top) ?? stackPath(frames, counted, { placeOf, roots, scripts });
    known.set(top, path);
    return path;
  };
  const paths = new Map<TracedOperator, string>();
  const pathOf = (operator: TracedOperator): string => {
    const { frames, layer, inside } = operator;
    const outer = pathOfStack(frames);
    const inner = layer === undefined ? undefined : placeOf(layer);
    const isInPackage = !frames.some((frame) => isModule(frame, placeOf));
    const around = inside === undefined ? undefined : placeOf(inside)?.path;
    if (inner === undefined && isInPackage && around !== undefined) return joined(outer, around);
    if (inner === undefined) return isInPackage ? besideLayer(operator, paths, outer) : outer;
    const path = inner.path ?? inner.name;
    return joined(outer, isInPackage ? path : lastPart(path));
  };
  for (const operator of operators) paths.set(operator, pathOf(operator));
  return (operator) => paths.get(operator) ?? pathOf(operator);
}

/**
 * Path of the module around the layer that produces an operator's first input, if that is in the
 * same call; else `otherwise`.
 */
function besideLayer(
  { inputs, span, frames }: TracedOperator,
  paths: ReadonlyMap<TracedOperator, string>,
  otherwise: string,
): string {
  const [first] = inputs;
  const before = first?.kind === "tensor" ? first.producer : undefined;
  // A producer from another call at the same span, such as the previous loop round, does not count.
  const isSamePlace = before?.span.from === span.from || span.from < 0;
  const isSameCall = isSamePlace && before?.frames.at(-1) === frames.at(-1);
  if (before === undefined || !isSameCall) return otherwise;
  const path = paths.get(before) ?? otherwise;
  return before.layer === undefined ? path : path.slice(0, Math.max(0, path.lastIndexOf(".")));
}

function isModule({ receiver }: Frame, placeOf: ModuleNameOf): boolean {
  return receiver !== undefined && placeOf(receiver) !== undefined;
}

interface Places {
  readonly placeOf: ModuleNameOf;
  /** Number of running modules that no other module holds. */
  readonly roots: number;
  /** Functions around the whole program. */
  readonly scripts: ReadonlySet<Frame>;
}

function scriptsIn(
  operators: readonly TracedOperator[],
  stacks: readonly (readonly Frame[])[],
  placeOf: ModuleNameOf,
): ReadonlySet<Frame> {
  const [first = []] = stacks;
  const isOfModule = (frame: Frame) => isModule(frame, placeOf);
  const hasLayers = operators.some(
    ({ layer }) => layer !== undefined && placeOf(layer)?.path !== undefined,
  );
  if (!hasLayers && !stacks.some((frames) => frames.some(isOfModule))) return new Set();
  const end = first.findIndex(
    (frame, at) => isOfModule(frame) || stacks.some((frames) => frames[at] !== frame),
  );
  return new Set(first.slice(0, end < 0 ? first.length : end));
}

function rootsIn(stacks: Iterable<readonly Frame[]>, placeOf: ModuleNameOf): number {
  const roots = new Set<Frame["receiver"]>();
  for (const frames of stacks) {
    const first = frames.find(({ receiver }) => receiver && placeOf(receiver) !== undefined);
    if (first?.receiver !== undefined) roots.add(first.receiver);
  }
  return roots.size;
}

function stackPath(
  frames: readonly Frame[],
  { runs, keyOf }: CountedRuns,
  { placeOf, roots, scripts }: Places,
): string {
  let caller: object | undefined;
  let path = "";
  let inside: Frame["receiver"];
  for (const frame of frames) {
    const places = runs.get(caller)?.get(frame.callee);
    caller = keyOf(frame);
    const run = places?.get(frame.ordinal);
    const { receiver } = frame;
    // Another method of the running module adds nothing to the path.
    if (receiver !== undefined && receiver === inside) continue;
    const place = receiver === undefined ? undefined : placeOf(receiver);
    if (place !== undefined) {
      inside = receiver;
      const again = !place.isElement && (run?.times ?? 1) > 1 ? `[${run?.again ?? 0}]` : "";
      if (place.path !== undefined) path = modulePath(path, place.path) + again;
      else if (roots > 1 || path !== "") path = joined(path, place.name) + again;
    } else if (receiver === undefined && !scripts.has(frame) && !frame.name.startsWith("<")) {
      const isSeveral = (places?.size ?? 1) > 1;
      path = joined(path, isSeveral ? `${frame.name}[${run?.place ?? 0}]` : frame.name);
    }
  }
  return path;
}

/**
 * Path of a module inside a surrounding path: its own path if that extends it, else its last part
 * appended.
 */
function modulePath(around: string, path: string): string {
  return around === "" || path.startsWith(around) ? path : joined(around, lastPart(path));
}

function joined(above: string, local: string): string {
  return above === "" ? local : `${above}.${local}`;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
