import { tensorsById } from "#core/ir";
import type { FlatStep, SpmdProgram, ValueId } from "#core/program";

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
export interface StepRoles {
  readonly roles: readonly StepRole[];
  /** The steps that make what a step reads. */
  readonly makers: readonly (readonly number[])[];
  readonly readers: readonly (readonly number[])[];
  /**
   * The block of the model that a weight or what is reduced belongs to: `layers[3]` for
   * `layers[3].w`; "" outside, and of all other steps.
   */
  readonly blocks: readonly string[];
}

/** Reads the roles of steps off a program. */
export function stepRoles(program: SpmdProgram, steps: readonly FlatStep[]): StepRoles {
  const { makers, readers, isGiven } = wiring(steps);
  const facts = factsOf(program);
  const found: Found = { steps, makers, readers, isGiven, ...facts };
  const fromWeights = steps.map(() => false);
  const roles = steps.map((_, at) => roleAhead(found, at, fromWeights));
  const fromReduced = steps.map(() => false);
  for (const at of steps.keys()) markReduced(found, at, roles, fromReduced);
  for (let at = steps.length - 1; at >= 0; at -= 1) settle(found, at, roles, fromReduced);
  const blocks = steps.map((step, at) => {
    const isInBuckets = roles[at] === "weight" || roles[at] === "reduced";
    return isInBuckets ? blockOf(facts.nameOf(outputsOf(step)[0])) : "";
  });
  return { roles, makers, readers, blocks };
}

interface Found extends ReturnType<typeof factsOf> {
  readonly steps: readonly FlatStep[];
  readonly makers: readonly (readonly number[])[];
  readonly readers: readonly (readonly number[])[];
  readonly isGiven: (id: ValueId) => boolean;
}

function factsOf({ graph, values }: SpmdProgram) {
  const tensors = tensorsById(graph);
  const own = new Map(values.map(({ id, tensor }) => [id, tensors.get(tensor)]));
  const isHeld = (id: ValueId) => {
    const role = own.get(id)?.role;
    return role === "parameter" || role === "state";
  };
  const isParameterGradient = (id: ValueId) => {
    const { role, gradientOf } = own.get(id) ?? {};
    const of = gradientOf && tensors.get(gradientOf);
    return role === "gradient" && of?.role === "parameter";
  };
  const nameOf = (id: ValueId | undefined) => (id && own.get(id)?.name) ?? "";
  return { isHeld, isParameterGradient, nameOf };
}

/** Inputs and outputs of a step. */
function inputsOf(step: FlatStep): readonly ValueId[] {
  return step.kind === "local" ? step.inputs : [step.input];
}

function outputsOf(step: FlatStep): readonly ValueId[] {
  return step.kind === "local" ? step.outputs : [step.output];
}

function wiring(steps: readonly FlatStep[]) {
  const maker = new Map<ValueId, number>();
  const readers: number[][] = steps.map(() => []);
  const makers = steps.map((step, at) => {
    const own: number[] = [];
    for (const id of inputsOf(step)) {
      const from = maker.get(id);
      if (from === undefined || own.includes(from)) continue;
      own.push(from);
      readers[from]?.push(at);
    }
    for (const id of outputsOf(step)) maker.set(id, at);
    return own;
  });
  return { makers, readers, isGiven: (id: ValueId) => !maker.has(id) };
}

function roleAhead(found: Found, at: number, fromWeights: boolean[]): StepRole {
  const { steps, makers, isGiven, isHeld, isParameterGradient } = found;
  const step = steps[at];
  if (step === undefined) return "ordered";
  const inputs = inputsOf(step);
  const made = makers[at] ?? [];
  const isAhead =
    step.phase !== "update" &&
    inputs.length > 0 &&
    inputs.every((id) => !isGiven(id) || isHeld(id)) &&
    made.every((maker) => fromWeights[maker]);
  fromWeights[at] = isAhead;
  if (isAhead) return "weight";
  if (step.kind === "local") return "ordered";
  const isReduced = step.phase === "update" || inputs.some(isParameterGradient);
  if (isReduced) return "reduced";
  return step.collective === "slice" ? "ordered" : "issued";
}

function markReduced(
  { makers, steps }: Found,
  at: number,
  roles: readonly StepRole[],
  fromReduced: boolean[],
): void {
  const isBehind = makers[at]?.some((maker) => fromReduced[maker]) ?? false;
  const isPassing = steps[at]?.phase === "backward" && isBehind;
  fromReduced[at] = roles[at] === "reduced" || isPassing;
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
  fromReduced: readonly boolean[],
): void {
  const step = steps[at];
  if (step?.kind !== "local") return;
  const next = readers[at] ?? [];
  if (roles[at] === "weight") {
    if (!next.some((reader) => roles[reader] === "weight")) roles[at] = "ordered";
    return;
  }
  const isBehind = makers[at]?.some((maker) => fromReduced[maker]) ?? false;
  const isLast = next.every(
    (reader) =>
      roles[reader] === "late" || roles[reader] === "reduced" || steps[reader]?.phase === "update",
  );
  if (step.phase === "backward" && isBehind && isLast) roles[at] = "late";
}

function blockOf(name: string): string {
  return name.slice(0, name.indexOf("]") + 1);
}
