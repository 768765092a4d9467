import type { Diagnostic } from "#core/diagnostics";
import type { Graph, Tensor } from "#core/ir";
import { listed, parametersOf, pathOf, prefixOf, withoutPrefix } from "./weight-names.ts";

/** Tensor of a file, by name; an index of files does not contain shapes. */
interface NamedTensor {
  readonly name: string;
  readonly shape?: readonly number[];
}

/** The tensors of a file compared with the parameters of a program. */
export interface CheckedWeights {
  /** The number of parameters with a tensor of their name and, if known, of their shape. */
  readonly fitting: number;
  /** Parameters of the program. */
  readonly parameters: number;
  /** Tensors of the file. */
  readonly tensors: number;
  /** Notes on differences, and on names that only one side has. */
  readonly notes: readonly Diagnostic[];
}

/**
 * Compares the names and shapes of a file with the parameters of a program, as `matchWeights` names
 * them; a last `.weight` of a file may be missing here. If no name is the same on both sides, the
 * shapes alone are counted.
 */
export function checkWeights(
  file: string,
  graph: Graph,
  tensors: readonly NamedTensor[],
): CheckedWeights {
  const parameters = parametersOf(graph);
  const wanted = new Map(parameters.map((tensor) => [pathOf(tensor.name), tensor]));
  const plain = tensors.map(({ name }) => pathOf(name).replace(/\.weight$/u, ""));
  const isWhole = tensors.some(({ name }) => wanted.has(pathOf(name)));
  const paths = tensors.map(({ name }, at) => (isWhole ? pathOf(name) : (plain[at] ?? name)));
  const prefix = prefixOf(new Set(wanted.keys()), paths);
  const found = new Set<Tensor>();
  const [differing, unused]: [string[], string[]] = [[], []];
  for (const [at, each] of tensors.entries()) {
    const path = paths[at] ?? each.name;
    const tensor = wanted.get(path) ?? wanted.get(withoutPrefix(path, prefix));
    if (tensor === undefined || found.has(tensor)) unused.push(each.name);
    else {
      found.add(tensor);
      const why = otherShape(tensor, each);
      if (why !== undefined) differing.push(why);
    }
  }
  const counts = { parameters: parameters.length, tensors: tensors.length };
  if (found.size === 0 && tensors.length > 0) return byShapes(file, parameters, tensors, counts);
  const missing = parameters.filter((each) => !found.has(each)).map(({ name }) => name);
  const notes = notesOf(file, { differing, missing, unused });
  return { fitting: found.size - differing.length, ...counts, notes };
}

function otherShape({ name, shape }: Tensor, stored: NamedTensor): string | undefined {
  if (stored.shape === undefined) return undefined;
  const [has, wants] = [stored.shape, shape].map((each) => each.join("×") || "one number");
  return has === wants ? undefined : `"${stored.name}" is ${has}, and "${name}" is ${wants} here`;
}

interface Apart {
  readonly differing: readonly string[];
  readonly missing: readonly string[];
  readonly unused: readonly string[];
}

function notesOf(file: string, { differing, missing, unused }: Apart): readonly Diagnostic[] {
  return [
    ...differing.map(noteOf),
    ...(missing.length === 0 ? [] : [noteOf(`"${file}" has no ${listed(missing)}`)]),
    ...(unused.length === 0
      ? []
      : [noteOf(`no parameter of the program is called ${listed(unused)}, which "${file}" has`)]),
  ];
}

function noteOf(message: string): Diagnostic {
  return { code: "execute/weights-apart", severity: "warning", message };
}

/**
 * The comparison of two sides without a common name: the number of tensors with a parameter of
 * their shape.
 */
function byShapes(
  file: string,
  parameters: readonly Tensor[],
  tensors: readonly NamedTensor[],
  counts: { readonly parameters: number; readonly tensors: number },
): CheckedWeights {
  const none = `no name of "${file}" is that of a parameter`;
  const left = new Map<string, number>();
  for (const { shape } of parameters) {
    const key = shape.join("×");
    left.set(key, (left.get(key) ?? 0) + 1);
  }
  let same = 0;
  for (const { shape } of tensors) {
    const key = shape?.join("×");
    const count = key === undefined ? 0 : (left.get(key) ?? 0);
    if (key === undefined || count === 0) continue;
    left.set(key, count - 1);
    same += 1;
  }
  const isKnown = tensors.some(({ shape }) => shape !== undefined);
  const words = isKnown
    ? `; by their shapes ${same} of ${tensors.length} tensors have one of ${parameters.length} parameters`
    : "";
  return { fitting: 0, ...counts, notes: [noteOf(`${none}${words}`)] };
}
