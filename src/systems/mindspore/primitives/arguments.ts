import type { LinkCall, Links, LinksOf } from "./links.ts";

/** The whole numbers of an argument: one, or a list; `undefined` when it is neither. */
export function numbersOf(call: LinkCall, name: string): readonly number[] | undefined {
  const value = call.attributes[name];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const numbers = values.filter((each): each is number => Number.isInteger(each));
  return numbers.length === values.length ? numbers : undefined;
}

/** One whole number of an argument. */
export function numberOf(call: LinkCall, name: string, otherwise: number): number {
  const value = call.attributes[name];
  return typeof value === "number" && Number.isInteger(value) ? value : otherwise;
}

/**
 * The dims that an argument names, for a tensor of `rank` dims; `undefined` if a name is no dim.
 */
export function dimsNamed(
  call: LinkCall,
  name: string,
  rank: number,
  otherwise: readonly number[],
): readonly number[] | undefined {
  const value = call.attributes[name];
  const given = value === undefined || value === null ? otherwise : numbersOf(call, name);
  if (given === undefined || given.some((dim) => dim < -rank || dim >= rank)) return undefined;
  return given.map((dim) => (dim < 0 ? dim + rank : dim));
}

/** Why an argument names no dims of so many; `undefined` where its value is not known. */
export function notOfRank(call: LinkCall, name: string, rank: number): string | undefined {
  const given = numbersOf(call, name);
  return (
    given && `the ${name} of ${call.op} must be in [${-rank},${rank}), but it is ${given.join()}`
  );
}

/** Links along the dims that an argument names, which must be dims of the first input. */
export function alongDims(
  name: string,
  otherwise: readonly number[],
  linksAlong: (call: LinkCall, dims: readonly number[]) => Links | undefined,
): LinksOf {
  return (call) => {
    const rank = call.shapes[0]?.length ?? 0;
    const dims = dimsNamed(call, name, rank, otherwise);
    return dims === undefined ? notOfRank(call, name, rank) : linksAlong(call, dims);
  };
}

/**
 * Links along one dim that an argument names.
 *
 * @param added how many dims the result has more than the input: a new dim may stand behind the last
 */
export function alongDim(
  name: string,
  otherwise: number,
  linksAlong: (call: LinkCall, dim: number) => Links | undefined,
  added = 0,
): LinksOf {
  return (call) => {
    const rank = (call.shapes[0]?.length ?? 0) + added;
    const [dim] = dimsNamed(call, name, rank, [otherwise]) ?? [];
    return dim === undefined ? notOfRank(call, name, rank) : linksAlong(call, dim);
  };
}

/** Finds the inputs of a call by their parameters, of which some may have been left out. */
export function inputsNamed(
  { attributes }: LinkCall,
  parameters: string,
): (name: string) => number | undefined {
  const { operands } = attributes;
  const given: readonly unknown[] = Array.isArray(operands) ? operands : parameters.split(" ");
  return (name) => {
    const at = given.indexOf(name);
    return at < 0 ? undefined : at;
  };
}
