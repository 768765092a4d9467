import type { Graph, Tensor } from "#core/ir";
import { isReadable } from "./decode-numbers.ts";
import type { StoredTensor } from "./safetensors.ts";

/** A parameter, and the tensor of the file whose numbers it takes. */
export interface TakenWeights {
  readonly tensor: Tensor;
  readonly stored: StoredTensor;
}

/** Which parameters of a program a file has numbers for, and what is left over on both sides. */
export interface MatchedWeights {
  readonly taken: readonly TakenWeights[];
  /** One sentence for every tensor of the file that has a parameter's name and cannot be taken. */
  readonly misfits: readonly string[];
  /** Names of parameters that the file has not. */
  readonly missing: readonly string[];
  /** Names of the file that no parameter has. */
  readonly unused: readonly string[];
  /** Parameters of the program. */
  readonly parameters: number;
}

/**
 * Matches the parameters of a program with the tensors of a file by their names, which are paths of
 * modules: `h[0].attn.weight` is `h.0.attn.weight`. Where the file has all of them inside a further
 * module (`transformer.h.0.attn.weight`), that module's name is left out. Only equal shapes are
 * taken.
 */
export function matchWeights({ tensors }: Graph, stored: readonly StoredTensor[]): MatchedWeights {
  const parameters = tensors.filter(
    ({ role, producer }) => role === "parameter" && producer === undefined,
  );
  const wanted = new Map(parameters.map((tensor) => [pathOf(tensor.name), tensor]));
  const prefix = prefixOf(new Set(wanted.keys()), stored);
  const taken: TakenWeights[] = [];
  const [misfits, unused]: [string[], string[]] = [[], []];
  const found = new Set<Tensor>();
  for (const each of stored) {
    const path = pathOf(each.name);
    const tensor = wanted.get(path) ?? wanted.get(withoutPrefix(path, prefix));
    if (tensor === undefined || found.has(tensor)) {
      unused.push(each.name);
      continue;
    }
    found.add(tensor);
    const why = misfit(tensor, each);
    if (why === undefined) taken.push({ tensor, stored: each });
    else misfits.push(why);
  }
  const missing = parameters.filter((each) => !found.has(each)).map(({ name }) => name);
  return { taken, misfits, missing, unused, parameters: parameters.length };
}

/** Brackets of an index as files write them: `h[0].w` is `h.0.w`. */
function pathOf(name: string): string {
  return name.replaceAll(/\[(\d+)\]/g, ".$1");
}

/** The module before the names of a file by which most of them are names of the program. */
function prefixOf(wanted: ReadonlySet<string>, stored: readonly StoredTensor[]): string {
  const counts = new Map<string, number>();
  for (const { name } of stored) {
    const path = pathOf(name);
    for (let at = path.indexOf("."); at >= 0; at = path.indexOf(".", at + 1)) {
      if (!wanted.has(path.slice(at + 1))) continue;
      const prefix = path.slice(0, at + 1);
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
    }
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return most?.[0] ?? "";
}

function withoutPrefix(path: string, prefix: string): string {
  return prefix !== "" && path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** Why a tensor of the file is not the parameter of its name. */
function misfit({ name, shape }: Tensor, stored: StoredTensor): string | undefined {
  const [has, wants] = [stored.shape, shape].map((each) => each.join("×") || "one number");
  if (has !== wants) {
    const isTurned = has === shape.toReversed().join("×");
    const turned = isTurned ? ", which is its transpose" : "";
    return `"${stored.name}" is ${has} in the file${turned}, and "${name}" is ${wants} here`;
  }
  return isReadable(stored.dtype)
    ? undefined
    : `"${stored.name}" has numbers of the type ${stored.dtype}, which are not read here`;
}
