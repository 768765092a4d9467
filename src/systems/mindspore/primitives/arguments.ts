import type { LinkCall, Links, LinksOf } from "./links.ts";

/** The integers of an argument: one, or a list; `undefined` if it is neither. */
export function numbersOf(call: LinkCall, name: string): readonly number[] | undefined {
  const value = call.attributes[name];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const numbers = values.filter((each): each is number => Number.isInteger(each));
  return numbers.length === values.length ? numbers : undefined;
}

/** The integer of an argument; `otherwise` if it is none. */
export function numberOf(call: LinkCall, name: string, otherwise: number): number {
  const value = call.attributes[name];
  return typeof value === "number" && Number.isInteger(value) ? value : otherwise;
}

/**
 * The dims that an argument names, from 0, for a tensor of `rank` dims; `undefined` if one is out
 * of range.
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

/** Message for an argument with dims out of range; `undefined` if its value is not known. */
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
 * @param added number of dims that the result has beyond the input: a new dim may be last
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

/** Finds the input index of a parameter of a call, in which operands may be omitted. */
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
