import { tensorsById } from "#core/ir";
import type { FlatStep, SpmdProgram } from "#core/program";
import { countOf, someOf } from "./lists.ts";
import type { Wires } from "./wires.ts";

/**
 * The role of a step in the order of a training step:
 * - `ordered`: an operator, which devices run in the order of the program;
 * - `issued`: a collective that is issued in that order;
 * - `weight`: it prepares a parameter for its readers from the parameter alone, and may run ahead;
 * - `reduced`: a collective that brings a gradient to its update, or a parameter back from it;
 * - `late`: an operator that only such collectives and updates wait for, and that waits for one.
 */
export type StepRole = "ordered" | "issued" | "weight" | "reduced" | "late";

/** The roles of steps, and the steps that they depend on. */
export interface StepRoles extends Pick<Wires, "makers" | "readers"> {
  readonly roles: readonly StepRole[];
  /**
   * The block of the model to which the step's weight or reduced gradient belongs: `layers[3]` for
   * `layers[3].w`; "" outside of blocks, and for all other steps.
   */
  readonly blocks: readonly string[];
}

/** Finds the roles of a program's steps. */
export function stepRoles(
  program: SpmdProgram,
  steps: readonly FlatStep[],
  wires: Wires,
): StepRoles {
  const { makers, readers, outputs } = wires;
  const facts = factsOf(program, wires);
  const roles = rolesOf(steps, wires, facts);
  const blocks = roles.map((role, at) => {
    const isInBuckets = role === "weight" || role === "reduced";
    return isInBuckets ? blockOf(facts.nameOf(outputs.all[outputs.first[at] ?? 0] ?? -1)) : "";
  });
  return { roles, makers, readers, blocks };
}

type Facts = ReturnType<typeof factsOf>;

/** Facts about values, by value number. */
function factsOf({ graph }: SpmdProgram, { values, maker }: Wires) {
  const tensors = tensorsById(graph);
  const tensorOf = (value: number) => {
    const tensor = values[value]?.tensor;
    return tensor === undefined ? undefined : tensors.get(tensor);
  };
  /** Whether a value is given: no step makes it, and it is no parameter or state either. */
  const isGiven = (value: number) => {
    if (maker[value] !== -1) return false;
    const role = tensorOf(value)?.role;
    return role !== "parameter" && role !== "state";
  };
  const isParameterGradient = (value: number) => {
    const { role, gradientOf } = tensorOf(value) ?? {};
    const of = gradientOf && tensors.get(gradientOf);
    return role === "gradient" && of?.role === "parameter";
  };
  return { isGiven, isParameterGradient, nameOf: (value: number) => tensorOf(value)?.name ?? "" };
}

function rolesOf(steps: readonly FlatStep[], wires: Wires, facts: Facts): readonly StepRole[] {
  const { makers } = wires;
  const roles = rolesAhead(steps, wires, facts);
  const fromReduced = new Uint8Array(steps.length);
  const isReduced = (maker: number) => fromReduced[maker] === 1;
  for (let at = 0; at < steps.length; at += 1) {
    const isPassing = steps[at]?.phase === "backward" && someOf(makers, at, isReduced);
    fromReduced[at] = roles[at] === "reduced" || isPassing ? 1 : 0;
  }
  settle(steps, wires, roles, isReduced);
  return roles;
}

/** First roles of steps, from the values that they read. */
function rolesAhead(
  steps: readonly FlatStep[],
  { inputs, makers }: Wires,
  { isGiven, isParameterGradient }: Facts,
): StepRole[] {
  const fromWeights = new Uint8Array(steps.length);
  const isOther = (maker: number) => fromWeights[maker] === 0;
  const roles: StepRole[] = [];
  for (let at = 0; at < steps.length; at += 1) {
    const step = steps[at];
    const isAhead =
      step?.phase !== "update" &&
      countOf(inputs, at) > 0 &&
      !someOf(makers, at, isOther) &&
      !someOf(inputs, at, isGiven);
    fromWeights[at] = isAhead ? 1 : 0;
    if (isAhead) roles.push("weight");
    else if (step?.kind !== "collective") roles.push("ordered");
    else if (step.phase === "update" || someOf(inputs, at, isParameterGradient))
      roles.push("reduced");
    else roles.push(step.collective === "slice" ? "ordered" : "issued");
  }
  return roles;
}

/**
 * Corrects the roles by the readers of each step. An operator on a parameter runs ahead if a
 * collective reads its result. An operator after a reduced gradient is late if only updates wait
 * for it.
 */
function settle(
  steps: readonly FlatStep[],
  { makers, readers }: Wires,
  roles: StepRole[],
  isReduced: (step: number) => boolean,
): void {
  const isAhead = (reader: number) => roles[reader] === "weight";
  const isWaitedFor = (reader: number) =>
    roles[reader] !== "late" && roles[reader] !== "reduced" && steps[reader]?.phase !== "update";
  for (let at = steps.length - 1; at >= 0; at -= 1) {
    const step = steps[at];
    if (step?.kind !== "local") continue;
    if (roles[at] === "weight") {
      if (!someOf(readers, at, isAhead)) roles[at] = "ordered";
    } else if (step.phase === "backward" && someOf(makers, at, isReduced)) {
      if (!someOf(readers, at, isWaitedFor)) roles[at] = "late";
    }
  }
}

function blockOf(name: string): string {
  return name.slice(0, name.indexOf("]") + 1);
}
