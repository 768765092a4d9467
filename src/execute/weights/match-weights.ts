import type { Graph, Tensor } from "#core/ir";
import { isReadable } from "./decode-numbers.ts";
import type { StoredTensor } from "./safetensors.ts";
import { parametersOf, pathOf, prefixOf, withoutPrefix } from "./weight-names.ts";

/** A parameter, and the tensor of the file whose numbers it takes. */
export interface WeightAssignment {
  readonly tensor: Tensor;
  readonly stored: StoredTensor;
}

/** The parameters of a program matched with the tensors of a file, and the rest on both sides. */
export interface MatchedWeights {
  readonly taken: readonly WeightAssignment[];
  /** Sentence for every tensor in the file that has a parameter's name but does not fit it. */
  readonly misfits: readonly string[];
  /** Names of parameters that the file lacks. */
  readonly missing: readonly string[];
  /** Names of the file that no parameter has. */
  readonly unused: readonly string[];
  /** Parameters of the program. */
  readonly parameters: number;
}

/**
 * Matches the parameters of a program with the tensors of a file by their names, which are paths of
 * modules: `h[0].attn.weight` is `h.0.attn.weight`. If the file has all of them inside a further
 * module (`transformer.h.0.attn.weight`), that module's name is left out. Only equal shapes are
 * taken.
 */
export function matchWeights(graph: Graph, stored: readonly StoredTensor[]): MatchedWeights {
  const parameters = parametersOf(graph);
  const wanted = new Map(parameters.map((tensor) => [pathOf(tensor.name), tensor]));
  const prefix = prefixOf(
    new Set(wanted.keys()),
    stored.map(({ name }) => pathOf(name)),
  );
  const taken: WeightAssignment[] = [];
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

/** The reason why a tensor of the file is not the parameter of its name. */
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
