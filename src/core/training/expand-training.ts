import type { Diagnostic } from "#core/diagnostics";
import type { Graph, Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { Microbatches, Plan } from "#core/plan";
import { Backward, withoutGradient } from "./backward.ts";
import { Gradients } from "./gradients.ts";
import { cutIntoMicrobatches, type NotCut } from "./microbatches.ts";
import type { KnownCalls } from "./new-call.ts";
import { Saved } from "./recompute.ts";
import { endsOfGradient, isTrained, parametersInOtherForms } from "./tensors-with-gradient.ts";
import type { Training, TrainingGraph } from "./training.ts";
import { TrainingGraphBuilder } from "./training-graph-builder.ts";
import { typedGraph } from "./typed-graph.ts";
import { addUpdate, type Trained, trained } from "./update.ts";
import { WholeBackward } from "./whole-backward.ts";

/** Options of a training graph, by its purpose. */
export interface ExpandOptions {
  /** `whole` for one operator per gradient, as cost models count; such a graph is not run. */
  readonly kind?: BackwardKind;
  /** Calls that were bound for other graphs. */
  readonly calls?: KnownCalls;
  /** Whether parameters are updated; without updates the graph ends with their gradients. */
  readonly updates?: boolean;
}

/**
 * Adds the backward pass and the updates of a training step to a graph under its plan (planner.md
 * §6).
 *
 * Operators are visited from last to first, once the gradients of their results are complete. A
 * parameter's gradient is combined where its update needs it; all updates come last. Every added
 * operator is an ordinary operator that names its forward operator (`of`).
 *
 * A batch that cannot be cut into microbatches runs as one, with a diagnostic.
 *
 * @param options purpose of the graph, and facts that are known already
 */
export function expandTraining(
  graph: Graph,
  plan: Plan,
  training: Training,
  options: ExpandOptions = {},
): TrainingGraph {
  if (graph.operators.length > mostTrained) return untrained(graph, plan, training);
  const { microbatches = 1, loss } = training;
  const step = expanded(graph, plan, training, options);
  if (microbatches === 1) return step;
  const cut = cutIntoMicrobatches(step.graph, step.requests, loss, microbatches);
  if ("count" in cut) return { ...step, asked: { ...step.asked, microbatches: cut } };
  const whole = expanded(graph, plan, { ...training, microbatches: 1 }, options);
  return { ...whole, diagnostics: [...whole.diagnostics, notCut(cut, training)] };
}

/**
 * The micro-batches of a training step without regard to a plan; `undefined` if the batch runs as one.
 * A plan may cut the rows too finely for them.
 */
export function microbatchesOf(
  graph: Graph,
  mesh: DeviceMesh,
  training: Training,
): Microbatches | undefined {
  if ((training.microbatches ?? 1) === 1) return undefined;
  const whole: Plan = { mesh, operators: new Map(), placements: new Map() };
  return expandTraining(graph, whole, training).asked.microbatches;
}

/** The most operators of a trained forward pass: a step has about four times as many. */
export const mostTrained = 2_500;

/** The forward pass alone, with the reason. */
function untrained(
  graph: Graph,
  { operators, placements }: Plan,
  { span }: Training,
): TrainingGraph {
  const diagnostic: Diagnostic = {
    code: "training/too-many-operators",
    severity: "warning",
    message: `the program has ${graph.operators.length} operators, and a training step is made of at most ${mostTrained}: what is shown is the forward pass alone`,
    ...(span !== undefined && { span }),
  };
  return { graph, requests: { operators, placements }, asked: {}, diagnostics: [diagnostic] };
}

function expanded(
  written: Graph,
  plan: Plan,
  training: Training,
  { kind = "derived", calls, updates = true }: ExpandOptions,
): TrainingGraph {
  const typed =
    kind === "whole"
      ? { graph: written, plans: plan.operators }
      : typedGraph(written, plan, training);
  const { graph } = typed;
  const draft = new TrainingGraphBuilder(graph, { ...plan, operators: typed.plans }, calls);
  const recompute = new Set([...training.recompute, ...madeAgain(graph, plan, training)]);
  const { gradients, backward, saved } = backwardOf(draft, { ...training, recompute }, kind);
  seed(draft, gradients, training);
  const firstReaders = firstReadersOf(graph);
  const ready: Trained[] = [];
  const again = partsByEnd(graph, training);
  for (const operator of graph.operators.toReversed()) {
    saved?.runWhole(again.get(operator.id) ?? []);
    backward.pass(operator);
    for (const tensor of firstReaders.get(operator.id) ?? []) {
      if (!gradients.has(tensor)) continue;
      if (!updates) {
        gradients.total(tensor);
        continue;
      }
      ready.push(trained(draft, gradients, draft.tensorOf(tensor), training));
    }
  }
  const ends = endsOfGradient(graph, training.loss, (tensor) => gradients.has(tensor));
  const results = ready.flatMap((each) => addUpdate(draft, each, training));
  const isAgain = ({ id }: Tensor) => plan.gatheredAgain?.has(id) === true;
  const gathered = [
    ...ready.flatMap(({ parameter, isGathered }) =>
      isGathered || isAgain(parameter) ? [parameter.id] : [],
    ),
    ...graph.tensors.flatMap((each) => (each.isFrozen && isAgain(each) ? [each.id] : [])),
  ];
  return {
    graph: draft.finish(results, training.handsOn),
    requests: {
      operators: draft.plans,
      placements: draft.placements,
      ...(plan.reshards !== undefined && { reshards: plan.reshards }),
    },
    asked: {
      ...(gathered.length > 0 && { gatheredAgain: new Set(gathered) }),
      ...(plan.keptGathered !== undefined && { keptGathered: plan.keptGathered }),
      // Sequence parallelism keeps only pieces of activations (Korthikanti et al. 2022, §4.2.2).
      ...(training.precision === "megatron" && { gathersActivationsAgain: true }),
    },
    diagnostics: [...backward.diagnostics, ...ends.map(withoutGradient)],
  };
}

/**
 * Operators that make other forms of parameters which rest in pieces and are gathered again for the
 * backward pass. They are recomputed: a cast casts the piece again, and a view shows the newly
 * gathered copy.
 */
function madeAgain(
  graph: Graph,
  { gatheredAgain }: Plan,
  { zero }: Training,
): Iterable<OperatorId> {
  if (zero !== 3 && gatheredAgain === undefined) return [];
  const isAgain = (id: TensorId) => zero === 3 || gatheredAgain?.has(id) === true;
  const forms = parametersInOtherForms(graph, isAgain);
  return graph.tensors.flatMap(({ id, producer }) =>
    producer !== undefined && forms.has(id) ? [producer] : [],
  );
}

/** Parts that are recomputed as a whole, by the operator that begins their backward pass. */
function partsByEnd(
  { operators }: Graph,
  { runsAgain = [] }: Training,
): ReadonlyMap<OperatorId, readonly Operator[]> {
  const parts = runsAgain.flatMap((ids) => {
    const inside = new Set(ids);
    const part = operators.filter(({ id }) => inside.has(id));
    const last = part.at(-1);
    return last === undefined ? [] : [[last.id, part] as const];
  });
  return new Map(parts);
}

/** How the backward pass is written: by the derivatives of operators, or one operator each. */
type BackwardKind = "derived" | "whole";

function backwardOf(draft: TrainingGraphBuilder, training: Training, kind: BackwardKind) {
  if (kind === "derived") {
    const gradients = new Gradients(draft);
    const saved = new Saved(draft, training);
    return { gradients, backward: new Backward(draft, gradients, saved), saved };
  }
  const lies = (tensor: TensorId) =>
    draft.placements.get(tensor)?.layout ?? draft.ownLayout(tensor);
  const gradients = new Gradients(draft, lies);
  return { gradients, backward: new WholeBackward(draft, gradients) };
}

/** Gives the loss a gradient of ones, in the layout that its reader wants. */
function seed(draft: TrainingGraphBuilder, gradients: Gradients, { loss }: Training): void {
  const like = draft.tensorOf(loss);
  const ones = draft.addTensor(`${like.name}.grad`, like, { role: "gradient", gradientOf: loss });
  gradients.contribute(loss, { tensor: ones.id, layout: undefined });
}

/** The parameters by their first reader: after its backward pass their gradients are complete. */
function firstReadersOf(graph: Graph): ReadonlyMap<OperatorId, readonly TensorId[]> {
  const open = new Set(graph.tensors.filter(isTrained).map(({ id }) => id));
  const read = graph.operators.map(({ id, inputs }) => {
    const first = inputs.filter(({ tensor }) => open.delete(tensor));
    return [id, first.map(({ tensor }) => tensor)] as const;
  });
  return new Map(read);
}

function notCut({ kind, reason }: NotCut, { span }: Training): Diagnostic {
  const isUneven = kind === "uneven";
  return {
    code: isUneven ? "training/uneven-microbatches" : "training/one-batch",
    severity: isUneven ? "error" : "warning",
    message: `${reason}: the steps and figures are those of one batch`,
    ...(span !== undefined && { span }),
  };
}
