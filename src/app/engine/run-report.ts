import type { Diagnostic } from "#core/diagnostics";
import type { Graph, TensorId } from "#core/ir";
import { flatSteps, type SpmdProgram } from "#core/program";
import type { InjectedFault } from "#execute/engine";
import {
  coverWords,
  type OwnNumbers,
  type Pace,
  type PlanResult,
  type ProgramReduction,
  roundingWords,
  secondsAt,
  stepName,
  type TensorResult,
  type UndetectedFault,
} from "#execute/verify";
import { assignedWeightsText, weightsNotes } from "#execute/weights";
import type { ReadWeights } from "./read-weights.ts";
import type {
  RunEngine,
  RunReport,
  RunSettings,
  RunTensor,
  TensorPart,
  WeightsTaken,
  WholeCost,
  WrongCell,
} from "./run-protocol.ts";
import { cpuSentence, faultWords, runSentence, unseenSentence } from "./run-words.ts";

/** Finished run with its program, its settings and its engine. */
export interface Reported {
  /** Program of the text; the run may have used a smaller version. */
  readonly program: SpmdProgram;
  readonly result: PlanResult;
  readonly notes: readonly Diagnostic[];
  readonly engine: RunEngine;
  readonly settings: RunSettings;
  readonly fault: InjectedFault | undefined;
  /** Values for the program's parameters from the reader's weights file. */
  readonly weights?: ReadWeights;
  /** Measured pace of runs on this engine; absent if unknown. */
  readonly pace?: Pace;
  /** Reason why the injected fault did not show. */
  readonly unseen?: UndetectedFault;
}

/** The report of a run. */
export function reportOf(reported: Reported): RunReport {
  const { program, result, engine, settings, fault, unseen } = reported;
  const { notes, ...taken } = weightsIn(reported);
  const { ran, equal, maxAbsDiff, maxRelDiff } = result;
  const { counts, cpu, wasLost } = ran.run;
  const partOf = trainingPartLookup(program.graph);
  const isSameSteps = hasSameSteps(program, ran.program);
  const cell = cellOf(result);
  const { shrunk, covered } = result;
  const at = coverWords(program, shrunk, covered);
  const rounding = roundingWords(result, engine.name);
  const told = {
    kind: equal ? ("equal" as const) : ("different" as const),
    deviceCount: program.devices.length,
    tensors: result.tensors.map((tensor) => tensorOf(tensor, partOf(tensor.tensor))),
    notes: settings.values === "floats" ? [...notes, onFloats] : notes,
    ...(cell !== undefined && { cell }),
    ...(rounding !== undefined && { rounding }),
  };
  const words = fault && faultWords(fault, faultedName(program, fault));
  return {
    ...told,
    sentence: runSentence({
      ...told,
      ...(words !== undefined && { fault: words }),
      ...unseenIn(program, fault, unseen),
      ...(at !== undefined && { at }),
      ...taken,
    }),
    ...taken,
    ...(shrunk !== undefined && { whole: wholeAt(shrunk, reported.pace) }),
    ...(unseen?.instead !== undefined && { instead: unseen.instead }),
    ...{ engine, settings, maxAbsDiff, maxRelDiff, isSameSteps },
    given: givenIn(ran.program.graph, settings.own),
    wasLost: wasLost === true,
    ...(counts !== undefined && {
      counts: { dispatches: counts.dispatches, copies: counts.copies },
    }),
    ...(cpu !== undefined && { computedIn: cpuSentence(cpu) }),
    ...(ran.seconds !== undefined && isSameSteps && { seconds: ran.seconds }),
  };
}

function wholeAt({ whole }: ProgramReduction, pace: Pace | undefined): WholeCost {
  const { operations, bytes, work } = whole;
  return { operations, bytes, ...(pace !== undefined && { seconds: secondsAt(work, pace) }) };
}

/**
 * Use of the weights file, and the report's notes. Weights that do not fit the smaller sizes of a
 * run are counted in one note.
 */
function weightsIn({ result, settings, notes, weights: read }: Reported): {
  readonly notes: readonly Diagnostic[];
  readonly weights?: WeightsTaken;
} {
  const file = settings.weights?.name;
  if (file === undefined || read === undefined) return { notes };
  const { matched, own } = read;
  const given = new Set(givenIn(result.ran.program.graph, own));
  const taken = matched.taken.filter(({ tensor }) => given.has(tensor.name));
  const left = matched.taken.length - taken.length;
  const [others, aside] = [
    notes.filter(({ code }) => left === 0 || code !== "execute/own-left-aside"),
    left === 0 ? [] : [tooSmall(file, left)],
  ];
  return {
    notes: [...others, ...aside, ...weightsNotes(file, matched)],
    weights: { file, words: assignedWeightsText({ ...matched, taken }) },
  };
}

function tooSmall(file: string, count: number): Diagnostic {
  return {
    code: "execute/own-left-aside",
    severity: "warning",
    message: `the run is on smaller sizes, which have no room for ${count} ${count === 1 ? "tensor" : "tensors"} of "${file}": run it as it is to have them taken`,
  };
}

/**
 * Names of the reader's own tensors that the run used: those with as many values as the tensor has
 * elements.
 */
function givenIn({ tensors }: Graph, own: readonly OwnNumbers[]): readonly string[] {
  return own.flatMap(({ tensor: wanted, numbers }) => {
    const tensor = tensors.find(({ name, producer }) => name === wanted && producer === undefined);
    const cells = tensor?.shape.reduce((product, size) => product * size, 1);
    return cells === numbers.length ? [wanted] : [];
  });
}

/** Note that the values are drawn as floats. */
const onFloats: Diagnostic = {
  code: "execute/floats",
  severity: "info",
  message: "every float is held to the rounding that its own sums may have",
};

function cellOf({ first, tensors, ran }: PlanResult): WrongCell | undefined {
  if (first === undefined) return undefined;
  const { tensor: name, ...where } = first;
  const found = tensors.find((tensor) => tensor.name === name);
  if (found === undefined) throw new Error(`a run compared no tensor ${name}`);
  const wrongStep = stepOfText(ran);
  return {
    tensor: found.tensor,
    name,
    ...where,
    ...(wrongStep !== undefined && { step: wrongStep }),
  };
}

/** Step of the text that computes the first wrong value; `undefined` if there is none. */
function stepOfText({ wrongStep, match }: PlanResult["ran"]): number | undefined {
  return wrongStep === undefined || match === undefined ? wrongStep : match.toWhole(wrongStep);
}

/** Whether two programs have the same sequence of steps, whatever their sizes. */
function hasSameSteps(one: SpmdProgram, other: SpmdProgram): boolean {
  const [a, b] = [one, other].map((program) =>
    flatSteps(program).map((step) => (step.kind === "local" ? step.operator : step.collective)),
  );
  return String(a) === String(b);
}

/** Sentence on why the fault does not show, and which other fault would. */
function unseenIn(
  program: SpmdProgram,
  fault: InjectedFault | undefined,
  unseen: UndetectedFault | undefined,
): { readonly unseen?: string } {
  if (fault === undefined || unseen === undefined) return {};
  const at = unseen.instead?.step;
  const isSame = fault.how !== "cut" && fault.step === at;
  const of = at === undefined || isSame ? "" : ` in step ${at + 1} (${stepName(program, at)})`;
  return { unseen: unseenSentence(unseen, of) };
}

/** Name of the faulted collective or tensor. */
function faultedName(program: SpmdProgram, fault: InjectedFault): string {
  if (fault.how === "cut") {
    const { tensors } = program.graph;
    return tensors.find(({ id }) => id === fault.tensor)?.name ?? fault.tensor;
  }
  const found = flatSteps(program)[fault.step];
  return found?.kind === "collective" ? found.collective : "step";
}

function tensorOf(result: TensorResult, part: TensorPart): RunTensor {
  const { tensor, name, equal, maxAbsDiff, maxRelDiff, devices } = result;
  const wrongCount = devices.reduce((sum, each) => sum + each.wrongCount, 0);
  const wrongDevices = devices.filter((each) => each.wrongCount > 0).map(({ device }) => device);
  return { tensor, name, part, isEqual: equal, maxAbsDiff, maxRelDiff, wrongCount, wrongDevices };
}

/** Phase in which each tensor is computed. */
function trainingPartLookup({ tensors, operators }: Graph): (tensor: TensorId) => TensorPart {
  const phases = new Map(operators.map(({ id, phase }) => [id, phase]));
  const producers = new Map(tensors.map(({ id, producer }) => [id, producer]));
  return (tensor) => {
    const producer = producers.get(tensor);
    if (producer === undefined) return "given";
    const phase = phases.get(producer);
    return phase === "backward" || phase === "update" ? phase : "forward";
  };
}
