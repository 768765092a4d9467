import { tensorsById } from "#core/ir";
import type { FlatStep, SpmdProgram } from "#core/program";
import { countOf, someOf } from "./lists.ts";
import type { Wires } from "./wires.ts";

/**
 * What a step is to the order of a training step:
 * - `ordered`: an operator, which devices run in the order of the program;
 * - `issued`: a collective that is issued in that order;
 * - `weight`: it prepares a parameter for its readers from the parameter alone, and may run ahead;
 * - `reduced`: a collective that brings a gradient to its update, or a parameter back from it;
 * - `late`: an operator that only such collectives and updates wait for, and that waits for one.
 */
export type StepRole = "ordered" | "issued" | "weight" | "reduced" | "late";

/** The roles of steps, and how they hang together. */
export interface StepRoles extends Pick<Wires, "makers" | "readers"> {
  readonly roles: readonly StepRole[];
  /**
   * The block of the model that a weight or what is reduced belongs to: `layers[3]` for
   * `layers[3].w`; "" outside, and of all other steps.
   */
  readonly blocks: readonly string[];
}

/** Reads the roles of steps off a program. */
export function stepRoles(
  program: SpmdProgram,
  steps: readonly FlatStep[],
  wires: Wires,
): StepRoles {
  const found: Found = { steps, ...wires, ...factsOf(program, wires) };
  const fromWeights = new Uint8Array(steps.length);
  const roles = steps.map((step, at) => roleAhead(found, step, at, fromWeights));
  const fromReduced = new Uint8Array(steps.length);
  for (const [at, step] of steps.entries()) markReduced(found, step, at, roles, fromReduced);
  for (let at = steps.length - 1; at >= 0; at -= 1) settle(found, at, roles, fromReduced);
  const { outputs, makers, readers } = wires;
  const blocks = roles.map((role, at) => {
    const isInBuckets = role === "weight" || role === "reduced";
    return isInBuckets ? blockOf(found.nameOf(outputs.all[outputs.first[at] ?? 0] ?? -1)) : "";
  });
  return { roles, makers, readers, blocks };
}

interface Found extends Wires, ReturnType<typeof factsOf> {
  readonly steps: readonly FlatStep[];
}

/** What is known of a value by its number. */
function factsOf({ graph }: SpmdProgram, { values }: Wires) {
  const tensors = tensorsById(graph);
  const tensorOf = (value: number) => {
    const tensor = values[value]?.tensor;
    return tensor === undefined ? undefined : tensors.get(tensor);
  };
  const isHeld = (value: number) => {
    const role = tensorOf(value)?.role;
    return role === "parameter" || role === "state";
  };
  const isParameterGradient = (value: number) => {
    const { role, gradientOf } = tensorOf(value) ?? {};
    const of = gradientOf && tensors.get(gradientOf);
    return role === "gradient" && of?.role === "parameter";
  };
  return { isHeld, isParameterGradient, nameOf: (value: number) => tensorOf(value)?.name ?? "" };
}

function roleAhead(found: Found, step: FlatStep, at: number, fromWeights: Uint8Array): StepRole {
  const { inputs, maker, makers, isHeld, isParameterGradient } = found;
  const isAhead =
    step.phase !== "update" &&
    countOf(inputs, at) > 0 &&
    !someOf(makers, at, (each) => fromWeights[each] === 0) &&
    !someOf(inputs, at, (value) => maker[value] === -1 && !isHeld(value));
  fromWeights[at] = isAhead ? 1 : 0;
  if (isAhead) return "weight";
  if (step.kind === "local") return "ordered";
  if (step.phase === "update" || someOf(inputs, at, isParameterGradient)) return "reduced";
  return step.collective === "slice" ? "ordered" : "issued";
}

function markReduced(
  { makers }: Found,
  step: FlatStep,
  at: number,
  roles: readonly StepRole[],
  fromReduced: Uint8Array,
): void {
  const isPassing =
    step.phase === "backward" && someOf(makers, at, (maker) => fromReduced[maker] === 1);
  fromReduced[at] = roles[at] === "reduced" || isPassing ? 1 : 0;
}

/**
 * What runs ahead or late is known from its readers: an operator on a parameter is prepared ahead
 * where a collective takes it on, and one behind a reduced gradient may wait for it where nothing
 * but updates waits for that.
 */
function settle(
  { steps, makers, readers }: Found,
  at: number,
  roles: StepRole[],
  fromReduced: Uint8Array,
): void {
  const step = steps[at];
  if (step?.kind !== "local") return;
  if (roles[at] === "weight") {
    if (!someOf(readers, at, (reader) => roles[reader] === "weight")) roles[at] = "ordered";
    return;
  }
  if (step.phase !== "backward") return;
  if (!someOf(makers, at, (maker) => fromReduced[maker] === 1)) return;
  const isWaitedFor = (reader: number) =>
    roles[reader] !== "late" && roles[reader] !== "reduced" && steps[reader]?.phase !== "update";
  if (!someOf(readers, at, isWaitedFor)) roles[at] = "late";
}

function blockOf(name: string): string {
  return name.slice(0, name.indexOf("]") + 1);
}
