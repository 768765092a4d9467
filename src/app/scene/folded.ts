import { createFindRuns, createFold, type EqualRuns, type SpmdProgram } from "#core/program";

const fold = createFold();
const findRuns = createFindRuns();
const known = new WeakMap<SpmdProgram, SpmdProgram>();
const knownRuns = new WeakMap<SpmdProgram, readonly EqualRuns[]>();

/** `fold` of a program that several drawings ask for: it is folded for the first of them. */
export function foldedOf(program: SpmdProgram): SpmdProgram {
  const folded = known.get(program) ?? fold(program);
  known.set(program, folded);
  return folded;
}

/** The runs that `foldedOf` folds, where nobody asks for the folded program itself. */
export function equalRunsOf(program: SpmdProgram): readonly EqualRuns[] {
  const found = knownRuns.get(program) ?? findRuns(program);
  knownRuns.set(program, found);
  return found;
}
