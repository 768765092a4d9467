import type { Blocks } from "#core/collective";
import { type TensorId, tensorsById } from "#core/ir";
import { partSize, printPart } from "#core/mesh";
import { type CollectiveStep, flatSteps, type Value, valuesById } from "#core/program";
import { runCollective } from "#execute/cpu";
import {
  type InjectedFault,
  type StepFault,
  type StepFaultKind,
  stepFaults,
  whyUndetectable,
} from "#execute/engine";
import { compareValue } from "./compare.ts";
import type { FinishedRun } from "./finished-run.ts";

/** The reason why a fault changed nothing on the numbers of a run, and a fault that would. */
export interface UndetectedFault {
  readonly why: string;
  /** Fault that shows on the same numbers, in a step of the text; absent if there is none. */
  readonly instead?: StepFault;
}

/**
 * The effect of a collective's fault on the blocks of devices: it shows, or the reason why it does
 * not.
 */
export type FaultTrial =
  | { readonly kind: "shows" }
  | { readonly kind: "same"; readonly why: string }
  /** The run holds no values of the step. */
  | { readonly kind: "unknown" };

/**
 * A GPU's run with the operands of some collectives read back: of the collective with the fault,
 * and of those that are tried with other faults (`mostTried`).
 */
export async function withRead(ran: FinishedRun, fault: InjectedFault): Promise<FinishedRun> {
  const { placed, run } = ran;
  const { same, read } = run;
  if (same === undefined || read === undefined) return ran;
  const own = fault.how === "cut" ? [] : [ran.match?.toAlike(fault.step) ?? fault.step];
  const steps = flatSteps(placed);
  const values = valuesById(placed);
  const held = new Map(run.held);
  for (const at of [...own, ...collectivesOf(ran).slice(0, mostTried)]) {
    const step = steps[ran.placeOf(at)];
    const value = step?.kind === "collective" ? values.get(step.input) : undefined;
    if (value === undefined || held.has(value.id) || !same.has(value.id)) continue;
    held.set(value.id, await read(value.id, value.layout.mesh.devices));
  }
  return { ...ran, run: { ...run, held } };
}

/** The most collectives that are tried with other faults. */
const mostTried = 48;

/**
 * Reason why a fault changed nothing in a run, and a fault that would: preferably of the same step.
 * Steps are those of the text.
 *
 * @param ran run with the fault, equal to the unsharded one
 */
export function explainUndetectedFault(ran: FinishedRun, fault: InjectedFault): UndetectedFault {
  if (fault.how === "cut") return withInstead(whyCutAlike(ran, fault.tensor), elsewhere(ran));
  const step = ran.match === undefined ? fault.step : ran.match.toAlike(fault.step);
  if (step === undefined) return { why: "the run has no step like it" };
  const own = trialsOf(ran, step);
  const trial = own(fault.how);
  const why = trial.kind === "same" ? trial.why : "nothing that was compared depends on it";
  const other = showingIn(own);
  return other === undefined
    ? withInstead(why, elsewhere(ran, step))
    : { why, instead: { step: fault.step, how: other } };
}

function withInstead(why: string, instead: StepFault | undefined): UndetectedFault {
  return instead === undefined ? { why } : { why, instead };
}

/** A fault that shows, in another step of the text. */
function elsewhere(ran: FinishedRun, but?: number): StepFault | undefined {
  const others = collectivesOf(ran).filter((at) => at !== but);
  for (const at of others.slice(0, mostTried)) {
    const how = showingIn(trialsOf(ran, at));
    const step = ran.match === undefined ? at : ran.match.toWhole(at);
    if (how !== undefined && step !== undefined) return { step, how };
  }
  return undefined;
}

/**
 * The reason why an input or parameter with a wrong cut leaves every device with the same numbers.
 */
function whyCutAlike({ placed, wanted }: FinishedRun, id: TensorId): string {
  const name = tensorsById(placed.graph).get(id)?.name ?? id;
  const numbers = [...(wanted.get(id)?.values ?? [])];
  return allAlike(name, numbers) ?? "on these numbers both ways of cutting give equal blocks";
}

function showingIn(trial: (how: StepFaultKind) => FaultTrial): StepFaultKind | undefined {
  return stepFaults.find((how) => trial(how).kind === "shows");
}

/** Indices of the steps of a run into which a fault can be injected. */
function collectivesOf({ program }: FinishedRun): readonly number[] {
  return flatSteps(program).flatMap((step, at) =>
    step.kind === "collective" && step.collective !== "slice" ? [at] : [],
  );
}

/**
 * The effect that each fault of one collective would have on the blocks that devices held before
 * it. The run may itself have a fault in a later step.
 */
export function trialsOf(ran: FinishedRun, at: number): (how: StepFaultKind) => FaultTrial {
  const { placed } = ran;
  const step = flatSteps(placed)[ran.placeOf(at)];
  if (step?.kind !== "collective") return () => ({ kind: "unknown" });
  const values = valuesById(placed);
  const [before, after] = [values.get(step.input), values.get(step.output)];
  const blocks = before && ran.run.held.get(before.id);
  if (before === undefined || after === undefined || blocks === undefined)
    return () => ({ kind: "unknown" });
  return (how) => tried({ ran, step, before, after, blocks }, how);
}

interface Trial {
  readonly ran: FinishedRun;
  readonly step: CollectiveStep;
  readonly before: Value;
  readonly after: Value;
  readonly blocks: Blocks;
}

function tried({ ran, step, before, after, blocks }: Trial, how: StepFaultKind): FaultTrial {
  const known = whyUndetectable(ran.placed, step, how);
  if (known !== undefined) return { kind: "same", why: known.why };
  const tensor = tensorsById(ran.placed.graph).get(after.tensor);
  const whole = ran.wanted.get(after.tensor);
  if (tensor === undefined || whole === undefined) return { kind: "unknown" };
  const [right, wrong] = [undefined, how].map((fault) =>
    runCollective(step, { before, after }, blocks, tensor.shape, fault),
  );
  if (right === undefined || wrong === undefined) return { kind: "unknown" };
  const { first } = compareValue(after, wrong, whole, ran.isWrapped);
  if (first !== undefined) return { kind: "shows" };
  return { kind: "same", why: whySame(how, tensor.name, after, right, wrong) };
}

function whySame(
  how: StepFaultKind,
  name: string,
  after: Value,
  right: Blocks,
  wrong: Blocks,
): string {
  const numbers = numbersOf(right);
  const alike = allAlike(name, numbers);
  if (alike !== undefined) return alike;
  if (String(numbersOf(wrong)) === String(numbers)) return equalBlocks[how];
  const open = after.layout.partials.map(({ part }) => part).filter((part) => partSize(part) > 1);
  return open.length > 0
    ? `"${name}" is still to be summed over ${open.map((part) => printPart(after.layout.mesh, part)).join(", ")}, and that sum is the same`
    : "what it changes is less than the rounding of floats";
}

function allAlike(name: string, numbers: readonly number[]): string | undefined {
  const [first = 0] = numbers;
  return numbers.every((each) => each === first)
    ? `every cell of "${name}" is ${String(first).replace("-", "−")} in this run`
    : undefined;
}

/** The reason why a fault leaves the same numbers although they are not all alike. */
const equalBlocks: Readonly<Record<StepFaultKind, string>> = {
  drop: "on these numbers every device has already what it would receive",
  swap: "on these numbers the blocks that change places are equal",
  group: "on these numbers the groups hold equal blocks",
  order: "on these numbers the blocks that change places are equal",
  stale: "on these numbers that device has already what it would receive",
  scale: "on these numbers a factor changes nothing",
};

function numbersOf(blocks: Blocks): readonly number[] {
  return [...blocks.values()].flatMap((own) => own.flatMap(({ values }) => [...values]));
}
