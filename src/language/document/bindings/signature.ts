import type { OpAnno } from "#core/dimops";
import type { Argument, FunctionValue } from "#language/python";

/** Parameters of a function as its callers see them, without `self` or `ctx`. */
export interface Signature {
  readonly parameters: FunctionValue["parameters"];
  readonly defaults: FunctionValue["defaults"];
}

/** A parameter and its argument in a call. */
export interface Pairing {
  readonly name: string;
  readonly parameter: FunctionValue["parameters"][number] | undefined;
  readonly argument: Argument | undefined;
}

/** Signature without parameters, for a function whose parameters are unknown. */
export const unknownSignature: Signature = { parameters: [], defaults: new Map() };

/** The signature of a function without its first `skipped` parameters, such as `self`. */
export function signatureOf(func: FunctionValue, skipped = 0): Signature {
  return { parameters: func.parameters.slice(skipped), defaults: func.defaults };
}

/** Arguments of a call by parameter, in order; surplus arguments follow under generated names. */
export function pairArguments(
  { parameters }: Signature,
  args: readonly Argument[],
): readonly Pairing[] {
  const positional = args.filter(({ name }) => name === undefined);
  const byName = new Map(args.flatMap((given) => (given.name ? [[given.name, given]] : [])));
  const plain = parameters.filter(({ kind }) => !kind.startsWith("var-"));
  const pairs = plain.map((parameter): Pairing => {
    const { name, kind } = parameter;
    const argument = byName.get(name) ?? (kind === "keyword-only" ? undefined : positional.shift());
    byName.delete(name);
    return { name, parameter, argument };
  });
  const more = positional.map((argument, index) => ({
    name: `input${pairs.length + index}`,
    parameter: undefined,
    argument,
  }));
  const named = [...byName].map(([name, argument]) => ({ name, parameter: undefined, argument }));
  return [...pairs, ...more, ...named];
}

/**
 * Identifiers in bracketed dims whose sizes neither tensors nor arguments give: all but one per
 * bracket, parameters first (dimops.md §2, step 4).
 */
export function hiddenIdentifiers(
  annotation: OpAnno,
  given: ReadonlySet<string>,
  parameters: ReadonlySet<string>,
): readonly string[] {
  const hasBrackets = annotation.inputs.some(({ dims }) =>
    dims.some(({ identifiers }) => identifiers.length > 1),
  );
  if (!hasBrackets) return [];
  const dims = annotation.inputs.flatMap((shape) => shape.dims);
  const single = dims.flatMap(({ identifiers }) => (identifiers.length === 1 ? identifiers : []));
  const solved = new Set([...given, ...single.map(({ name }) => name)]);
  const missing: string[] = [];
  for (const { identifiers } of dims) {
    const names = identifiers.filter(({ kind }) => kind === "name").map(({ name }) => name);
    const unknown = [...new Set(names)].filter((name) => !solved.has(name));
    const ordered = [
      ...unknown.filter((name) => parameters.has(name)),
      ...unknown.filter((name) => !parameters.has(name)),
    ];
    missing.push(...ordered.slice(0, Math.max(0, unknown.length - 1)));
    for (const name of unknown) solved.add(name);
  }
  return missing;
}
