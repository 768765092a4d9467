import { createSystemSteps } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { flatSteps, type SpmdProgram, stepsAsRun } from "#core/program";
import { stepFaults } from "#execute/engine";
import {
  coverWords,
  explainUndetectedFault,
  type PlanResult,
  type ProgramReduction,
  type RunOptions,
  roundingWords,
  runPlan,
  secondsAt,
  stepName,
} from "#execute/verify";
import { readDocument } from "#systems";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { openRequest } from "./compile-request.ts";
import { measuredPace } from "./measured-pace.ts";
import { readWeights } from "./weights-file.ts";

/**
 * `run`: the per-device program on seeded values, compared with the unsharded reference. `sabotage`
 * injects a fault into one step, numbered as in `plan`; `weights` is the path of a `.safetensors`
 * file whose numbers are given to parameters of the same names.
 */
export function runAnswer(args: Arguments): Answer {
  const options = readOptions(args);
  if (typeof options === "string") return badRequest(options);
  const opened = openRequest(args);
  if (!opened.ok) return { ok: false, diagnostics: opened.diagnostics };
  const { compiled, document } = opened.value;
  const { plan, program, diagnostics } = compiled;
  if (hasErrors(diagnostics)) return { ok: false, diagnostics };
  const { sabotage } = options;
  const broken = sabotage && stepsAsRun(program)[sabotage.step];
  if (sabotage !== undefined && broken?.kind !== "collective") {
    return badRequest(`step ${sabotage.step} is no collective of this program`);
  }
  const flat = sabotage && broken && { ...sabotage, step: flatSteps(program).indexOf(broken) };
  const fault = flat && { sabotage: flat };
  const weights =
    options.weights === undefined ? undefined : readWeights(options.weights, program.graph);
  if (weights?.ok === false) return { ok: false, diagnostics: weights.diagnostics };
  const systems = createSystemSteps();
  const { traceBody } = document ?? readDocument("");
  const own = weights === undefined ? {} : { own: weights.value.own };
  const run = runPlan(plan, program, { ...options, ...fault, ...own, traceBody, systems });
  const all = [...diagnostics, ...run.diagnostics, ...(weights?.value.notes ?? [])];
  return run.ok
    ? {
        ok: true,
        ...fieldsOf(program, run.value, options.values),
        ...(weights !== undefined && { weights: weights.value.words }),
        ...(sabotage && flat && { fault: faultFields(program, run.value, sabotage, flat) }),
        diagnostics: all,
      }
    : { ok: false, diagnostics: all };
}

function fieldsOf(
  program: SpmdProgram,
  plan: PlanResult,
  values: RunOptions["values"],
): Readonly<Record<string, unknown>> {
  const { tensors, ran: _ran, shrunk, covered, rounded, ...result } = plan;
  const { kinds, run, missing } = covered;
  const rounding = roundingWords(plan, "cpu");
  const words = coverWords(program, shrunk, covered);
  return {
    ...result,
    verdict: [
      result.equal ? "equal" : "different",
      ...(words === undefined ? [] : [` ${words}`]),
      ...(rounding === undefined ? [] : [words === undefined ? ", " : "; ", rounding]),
    ].join(""),
    ...(rounded !== undefined && { rounded }),
    shrunk: shrunk === undefined ? null : { layers: shrunk.layers ?? null, sizes: shrunk.sizes },
    ...(shrunk !== undefined && { whole: wholeFields(shrunk, values) }),
    covered: {
      kinds,
      run,
      ...(missing.length > 0 && { missing: missing.map((at) => stepName(program, at)) }),
    },
    tensors: tensors.map(({ tensor: _tensor, devices: _devices, ...row }) => row),
  };
}

/** Cost of the whole program; `seconds` at this processor's measured speed (null if unknown). */
function wholeFields({ whole }: ProgramReduction, values: RunOptions["values"]) {
  const { operations, bytes, work } = whole;
  const pace = measuredPace(values);
  return { operations, bytes, seconds: pace === undefined ? null : secondsAt(work, pace) };
}

/**
 * The injected fault and whether it shows; if not, why, and a fault that would, in a step numbered
 * as in `plan`.
 */
function faultFields(
  program: SpmdProgram,
  { equal, ran }: PlanResult,
  { step, how }: StepFault,
  flat: StepFault,
): Readonly<Record<string, unknown>> {
  if (!equal) return { step, how, shows: true };
  const { why, instead } = explainUndetectedFault(ran, flat);
  const other = instead && flatSteps(program)[instead.step];
  const listed = other && stepsAsRun(program).indexOf(other);
  return {
    ...{ step, how, shows: false, why },
    ...(instead !== undefined && { instead: { step: listed, how: instead.how } }),
  };
}

/** A fault in a step. */
type StepFault = Extract<NonNullable<RunOptions["sabotage"]>, { readonly step: number }>;

interface Asked extends RunOptions {
  readonly sabotage?: StepFault;
  /** Path of a `.safetensors` file, relative to the user's working directory. */
  readonly weights?: string;
}

/** Most index points in a run of a whole program; slow runs are stopped by their time limit. */
const mostWhole = 1e12;

/** Reads the options of a request; a string says which is invalid. */
function readOptions({
  engine,
  seed,
  values,
  precision,
  sabotage,
  whole,
  optimizerStep,
  weights,
}: Arguments): Asked | string {
  if (engine !== undefined && engine !== "cpu") return '"engine" must be "cpu"';
  if (seed !== undefined && !Number.isSafeInteger(seed)) return '"seed" must be an integer';
  if (values !== undefined && values !== "floats" && values !== "integers") {
    return '"values" must be "floats" or "integers"';
  }
  if (precision !== undefined && precision !== "own" && precision !== "full") {
    return '"precision" must be "own" or "full"';
  }
  if (whole !== undefined && typeof whole !== "boolean") return '"whole" must be true or false';
  if (weights !== undefined && typeof weights !== "string")
    return '"weights" must be the path of a .safetensors file';
  const step = optimizerStep === undefined ? 1 : optimizerStep;
  if (typeof step !== "number" || !Number.isSafeInteger(step) || step < 1)
    return '"optimizerStep" must be an integer from 1 on';
  const broken = sabotage === undefined ? undefined : readSabotage(sabotage);
  if (typeof broken === "string") return broken;
  return {
    seed: typeof seed === "number" ? seed : 1,
    values: values ?? "floats",
    precision: precision ?? "own",
    optimizerStep: step,
    ...(weights !== undefined && { weights }),
    ...(whole === true && { sizes: "own", mostWork: mostWhole }),
    ...(broken !== undefined && { sabotage: broken }),
  };
}

function readSabotage(sabotage: unknown): StepFault | string {
  const names = stepFaults.map((name) => `"${name}"`).join(" or ");
  const wanted = `"sabotage" must be {"step": number, "how": ${names}}`;
  if (typeof sabotage !== "object" || sabotage === null) return wanted;
  if (!("step" in sabotage) || !("how" in sabotage)) return wanted;
  const { step, how } = sabotage;
  const known = stepFaults.find((each) => each === how);
  if (typeof step !== "number" || known === undefined) return wanted;
  return { step, how: known };
}
