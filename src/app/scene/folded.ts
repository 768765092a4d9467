import { createFold, type SpmdProgram } from "#core/program";

const fold = createFold();
const known = new WeakMap<SpmdProgram, SpmdProgram>();

/** `fold` of a program that several drawings ask for: it is folded for the first of them. */
export function foldedOf(program: SpmdProgram): SpmdProgram {
  const folded = known.get(program) ?? fold(program);
  known.set(program, folded);
  return folded;
}
