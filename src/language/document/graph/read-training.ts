import type { Diagnostic, Span } from "#core/diagnostics";
import { type OperatorId, wildcardMatcher } from "#core/ir";
import type { RecomputedBlock, Training } from "#core/training";
import type { Value } from "#language/python";
import type { ProgramRun } from "../run-program.ts";
import { runAgain, runsOf } from "../trace/checkpoints.ts";
import type { TrainCall } from "../trace/trace.ts";
import type { Checkpoint, TracedOperator, TracedTensor } from "../trace/traced.ts";

type TrainedRun = Pick<ProgramRun, "trace" | "built" | "names" | "placeOf">;

/** Training request of a document's `train(…)`, in terms of its graph. */
export interface ReadTraining {
  readonly training?: Training;
  readonly diagnostics: readonly Diagnostic[];
}

/** Training request of the last `train(…)`. Earlier calls and impossible arguments are reported. */
export function readTraining(run: TrainedRun): ReadTraining {
  const { trace, built, names } = run;
  const calls = trace.training;
  const call = calls.at(-1);
  if (call === undefined) return { diagnostics: [] };
  const nameOf = (target: TracedTensor | string) =>
    typeof target === "string" ? target : (names.get(target) ?? "");
  const loss = built.graph.tensors.find(({ name }) => name === nameOf(call.loss));
  const diagnostics: Diagnostic[] = [...calls.slice(0, -1).map(({ span }) => notTheLast(span))];
  if (loss === undefined || loss.producer === undefined) {
    return { diagnostics: [...diagnostics, noLoss(nameOf(call.loss), call)] };
  }
  const asked = askedAgain(run, call, nameOf);
  const { whereRead, handsOn, whole } = runAgain(
    [...trace.checkpoints, ...asked.checkpoints],
    built,
  );
  const { optimizer, numbers, microbatches, zero, policy, span } = call;
  return {
    training: {
      ...{ loss: loss.id, optimizer, numbers, microbatches, zero, ...policy, span },
      recompute: new Set([...whereRead, ...asked.operators]),
      ...(asked.budget !== undefined && { budget: asked.budget }),
      ...(handsOn.length > 0 && { handsOn: new Set(handsOn) }),
      ...(whole.length > 0 && { runsAgain: whole }),
    },
    diagnostics: [...diagnostics, ...asked.diagnostics],
  };
}

/** Operators that a `train` call asks to recompute. */
interface AskedAgain {
  readonly operators: readonly OperatorId[];
  readonly checkpoints: readonly Checkpoint[];
  readonly budget?: Training["budget"];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Recomputed operators: operators by name, and all operators of a module by its path. A library
 * layer is one operator, its result.
 */
function askedAgain(
  run: TrainedRun,
  { recompute, span }: TrainCall,
  nameOf: (target: TracedTensor | string) => string,
): AskedAgain {
  const { trace, built, placeOf } = run;
  const { graph, operatorOf } = built;
  if (recompute === "full" || "bytes" in recompute) {
    const blocks = runsOf(trace.operators, isBlockOf(run));
    const diagnostics = blocks.length === 0 ? [noBlocks(recompute, span)] : [];
    if (recompute === "full") return { operators: [], checkpoints: blocks, diagnostics };
    const budget = { bytes: recompute.bytes, blocks: blocks.map((each) => blockIn(run, each)) };
    return { operators: [], checkpoints: [], budget, diagnostics };
  }
  const found = recompute.map((target) => {
    const name = nameOf(target);
    const matches = wildcardMatcher(name);
    const isNamed = (module: Value | undefined) => {
      const place = module && placeOf(module);
      return place !== undefined && (matches(place.name) || matches(place.path ?? place.name));
    };
    const isLayer = (traced: TracedOperator) => typeof target === "string" && isNamed(traced.layer);
    const operators = [
      ...graph.operators.filter((each) => matches(each.name)),
      ...trace.operators.filter(isLayer).flatMap((traced) => operatorOf.get(traced) ?? []),
    ].map(({ id }) => id);
    const others = trace.operators.filter((traced) => !isLayer(traced));
    const checkpoints = typeof target === "string" ? runsOf(others, isNamed) : [];
    const isNothing = operators.length + checkpoints.length === 0;
    return { operators, checkpoints, diagnostics: isNothing ? [nothingAgain(name, span)] : [] };
  });
  return {
    operators: found.flatMap(({ operators }) => operators),
    checkpoints: found.flatMap(({ checkpoints }) => checkpoints),
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
  };
}

/** Whether a module is an item of a module list, such as a transformer block. */
function isBlockOf({ placeOf }: Pick<TrainedRun, "placeOf">): (module: Value) => boolean {
  return (module) => placeOf(module)?.isElement === true;
}

/** A block that a memory budget may recompute: one run of an item of a module list. */
function blockIn(run: TrainedRun, block: Checkpoint): RecomputedBlock {
  const isBlock = isBlockOf(run);
  const [first] = block.operators;
  const frame = first?.frames.find(({ receiver }) => receiver !== undefined && isBlock(receiver));
  const module = frame?.receiver ?? first?.layer;
  const { whereRead, handsOn } = runAgain([block], run.built);
  const name = (module && run.placeOf(module)?.name) ?? "";
  return { name, recompute: whereRead, handsOn };
}

function notTheLast(span: Span): Diagnostic {
  return {
    code: "document/second-train",
    severity: "warning",
    message: "another train() follows: only the last one counts",
    span,
  };
}

function noLoss(name: string, { isOfSystem, span }: TrainCall): Diagnostic {
  return {
    code: "document/no-such-tensor",
    severity: isOfSystem === true ? "warning" : "error",
    message:
      isOfSystem === true
        ? `the training step is not drawn, since nothing is known of its loss${name === "" ? "" : ` "${name}"`}`
        : `train() differentiates a result of an operator, and "${name}" is none`,
    span,
  };
}

function nothingAgain(target: string, span: Span): Diagnostic {
  return {
    code: "document/no-such-operator",
    severity: "error",
    message: `no operator and no module is called "${target}", so nothing is computed again`,
    span,
  };
}

function noBlocks(recompute: TrainCall["recompute"], span: Span): Diagnostic {
  const what =
    recompute === "full"
      ? 'recompute="full" computes the blocks of a list of modules again'
      : "a budget of bytes computes blocks of a list of modules again";
  return {
    code: "document/no-such-operator",
    severity: "error",
    message: `${what}, and there is none`,
    span,
  };
}
