import { flatSteps, type SpmdProgram, valuesById } from "#core/program";
import { append } from "#core/records";
import { stepKeys } from "./step-kinds.ts";

/** Corresponding steps of a program and of the same program on fewer layers and smaller sizes. */
export interface StepMatch {
  /** Index of a step in the smaller program; `undefined` if the smaller program lacks it. */
  readonly toSame: (step: number) => number | undefined;
  /** Like `toSame`; for a step that the smaller program lacks, the first step of the same kind. */
  readonly toAlike: (step: number) => number | undefined;
  /** The index in the whole program of a step of the smaller one. */
  readonly toWhole: (step: number) => number | undefined;
}

/** Matches steps of the same operators, and collectives between the same layouts of one tensor. */
export function matchSteps(program: SpmdProgram, smaller: SpmdProgram): StepMatch {
  const [whole, small] = [identities(program), identities(smaller)];
  const [inWhole, inSmall] = [placesOf(whole), placesOf(small)];
  const [keys, smallKeys] = [stepKeys(program), stepKeys(smaller)];
  const firsts = new Map([...smallKeys.entries()].reverse().map(([at, key]) => [key, at]));
  return {
    toSame: (step) => inSmall.get(whole[step] ?? ""),
    toAlike: (step) => inSmall.get(whole[step] ?? "") ?? firsts.get(keys[step] ?? ""),
    toWhole: (step) => inWhole.get(small[step] ?? ""),
  };
}

function placesOf(names: readonly string[]): ReadonlyMap<string, number> {
  return new Map(names.map((name, at) => [name, at]));
}

/** A name per step that identifies it also in another version of the program. */
function identities(program: SpmdProgram): readonly string[] {
  const values = valuesById(program);
  const keys = stepKeys(program);
  const seen = new Map<string, number[]>();
  return flatSteps(program).map((step, at) => {
    const of = step.kind === "local" ? step.operator : (values.get(step.input)?.tensor ?? "");
    const name = `${of} ${keys[at]}`;
    append(seen, name, at);
    return `${name} ${seen.get(name)?.length}`;
  });
}
