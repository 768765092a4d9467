import { blockCount, replicationOf } from "#core/mesh";
import { flatSteps, type LocalStep, type SpmdProgram } from "#core/program";
import {
  type EdgeFigures,
  type EdgeRow,
  edgesIn,
  gradientName,
  gradientsIn,
  nothingSent,
  type OperatorRow,
  type OwnGradient,
  type PlannedOutcome,
  type SystemRow,
  sameAsOurs,
  whyItDiffers,
} from "#systems/system";
import { mindsporeSteps } from "./steps.ts";
import { turnedRound } from "./turned.ts";

/**
 * MindSpore's backward pass without its mirrors: autodiff reverses the communication of the forward
 * pass, and the gradient of the loss is divided by the number of copies of the loss (mindspore.md
 * §5). Empty without a backward pass in the text.
 *
 * The gradient of a replicated tensor stays a partial sum over its replicas; the AllReduce of an
 * earlier operator or a mirror reduces it.
 *
 * @param forward the rows of the forward pass
 */
export function backwardRows(
  program: SpmdProgram,
  forward: readonly SystemRow[],
  operatorRow: (step: LocalStep) => OperatorRow,
): readonly SystemRow[] {
  const steps = flatSteps(program).filter(({ phase }) => phase === "backward");
  if (steps.length === 0) return [];
  const pass = new BackwardPass(program, forward);
  const lastMade = new Map<string, number>();
  for (const [at, step] of steps.entries()) {
    if (step.kind === "local") for (const name of pass.madeBy(step)) lastMade.set(name, at);
  }
  const seeds = pass.gradients.filter((name) => !lastMade.has(name));
  const rows: SystemRow[] = seeds.flatMap((name) => [...pass.divided(name), ...pass.turned(name)]);
  for (const [at, step] of steps.entries()) {
    if (step.kind === "collective") rows.push(...pass.kept(step.reshard));
    else {
      const whole = pass.madeBy(step).filter((name) => lastMade.get(name) === at);
      rows.push(operatorRow(step), ...whole.flatMap((name) => pass.turned(name)));
    }
  }
  return rows;
}

const gradientEnding = /\.grad$/u;

class BackwardPass {
  /** Names of all gradients, e.g. `h.grad`. */
  readonly gradients: readonly string[];
  private readonly program: SpmdProgram;
  private readonly forward: readonly EdgeRow[];
  private readonly ours: ReadonlyMap<string, OwnGradient>;
  private readonly nameOf: ReadonlyMap<string, string | undefined>;
  private readonly edgeOf: ReturnType<typeof edgesIn>;
  private readonly seen = new Set<number>();
  private readonly constant: ReadonlySet<string>;

  constructor(program: SpmdProgram, forward: readonly SystemRow[]) {
    const { tensors } = program.graph;
    const names = new Map<string, string>(tensors.map(({ id, name }) => [id, name]));
    const nameIn = (tensor: string) => gradientName(names.get(tensor));
    this.program = program;
    this.edgeOf = edgesIn(program);
    this.ours = gradientsIn(program);
    this.nameOf = new Map(program.values.map(({ id, tensor }) => [id, nameIn(tensor)]));
    this.constant = constantGradients(program);
    this.gradients = [...new Set(tensors.flatMap(({ id }) => nameIn(id) ?? []))].filter((name) =>
      gradientEnding.test(name),
    );
    this.forward = forward.flatMap((row) =>
      row.kind === "edge" && row.isAside === undefined ? [row] : [],
    );
  }

  /** The names of gradients to which a step contributes. */
  madeBy({ outputs }: LocalStep): readonly string[] {
    return outputs.flatMap((id) => {
      const name = this.nameOf.get(id);
      return name !== undefined && gradientEnding.test(name) ? [name] : [];
    });
  }

  /**
   * The row that divides a loss gradient by the number of copies of the loss; empty for one copy.
   */
  divided(gradient: string): readonly OperatorRow[] {
    const { tensors, operators } = this.program.graph;
    const loss = tensors.find(({ name }) => name === gradient.replace(gradientEnding, ""));
    const made = loss && this.program.made.get(loss.id);
    const layout = this.program.values.find(({ id }) => id === made)?.layout;
    const maker = operators.find(({ id }) => id === loss?.producer);
    if (layout === undefined || maker === undefined) return [];
    const parts = replicationOf({ ...layout, partials: [] });
    const copies = blockCount(parts);
    if (copies === 1) return [];
    const row = { kind: "operator", operator: maker.id, op: "_VirtualDiv", count: 1 } as const;
    return [{ ...row, name: gradient, slices: `÷ ${copies}`, phase: "backward" }];
  }

  /**
   * The reversed communication of a tensor's forward edges; the first row also shows our own
   * redistribution.
   */
  turned(gradient: string): readonly EdgeRow[] {
    const name = gradient.replace(gradientEnding, "");
    const tensor = this.program.graph.tensors.find((each) => each.name === name);
    if (tensor === undefined) return [];
    // For a parameter's gradient, our own redistribution is shown with its mirror.
    const own = tensor.role === "parameter" ? undefined : this.ours.get(gradient);
    const outcomes = this.forward.flatMap((row) => (row.name === name ? this.turnedLine(row) : []));
    const lines = outcomes.length > 0 || own === undefined ? outcomes : [inParts];
    return lines
      .toReversed()
      .map((theirs, at) => besideOurs(tensor.id, gradient, theirs, at === 0 ? own : undefined));
  }

  /** The row of a redistribution of ours that repeats one of the forward pass; empty for others. */
  kept(index: number): readonly EdgeRow[] {
    const redistribution = this.program.redistributions[index];
    const name = redistribution && this.nameOf.get(redistribution.input);
    if (redistribution === undefined || name === undefined || this.seen.has(index)) return [];
    this.seen.add(index);
    const figures = gradientEnding.test(name) ? undefined : this.edgeOf(redistribution)?.ours;
    if (figures === undefined) return [];
    const theirs = nothingSent(mindsporeSteps, "MindSpore keeps what the forward pass read.");
    return [besideOurs(redistribution.tensor, name, theirs, { index, figures })];
  }

  /** The reverse of a row of the forward pass; empty if it has no communication to reverse. */
  private turnedLine({
    tensor,
    theirs,
    reason,
    redistribution = -1,
  }: EdgeRow): readonly PlannedOutcome[] {
    if (theirs.kind !== "planned" || theirs.steps.length === 0) return [];
    const isSum = theirs.steps.every(({ collective }) => collective === "all-reduce");
    // Results are not read again: of the steps that lead to them only the sum belongs to an
    // operator.
    if (reason === "output" && !isSum) return [];
    if (isSum && this.constant.has(tensor)) return [];
    const input = this.program.redistributions[redistribution]?.input;
    const layout = this.program.values.find(({ id }) => id === input)?.layout;
    return [turnedRound(theirs, layout?.partials.some(({ reduce }) => reduce !== "sum") ?? false)];
  }
}

/** Operators that turn a constant gradient of a scalar into another constant. */
const passesConstant = /^(Add|Sub|Mul|RealDiv|Div|Neg|Cast|add|sub|mul|div|neg|cast)$/u;

/**
 * The tensors whose gradients are constants of the program: the loss, and scalars of which the loss
 * is a sum or a multiple. The compiler multiplies these gradients instead of communicating.
 */
function constantGradients({ graph }: SpmdProgram): ReadonlySet<string> {
  const { tensors, operators } = graph;
  const shapes = new Map<string, number>(tensors.map(({ id, shape }) => [id, shape.length]));
  const seeds = tensors.filter(
    ({ role, gradientOf, producer }) => role === "gradient" && producer === undefined && gradientOf,
  );
  const found = new Set<string>(seeds.flatMap(({ gradientOf }) => gradientOf ?? []));
  for (const { op, phase = "forward", inputs, outputs } of operators.toReversed()) {
    const isPassed = phase === "forward" && outputs.some(({ tensor }) => found.has(tensor));
    const isScalar = inputs.every(({ tensor }) => shapes.get(tensor) === 0);
    const isAlone = inputs.length === 1 || /^(Add|Sub|add|sub)$/u.test(op);
    if (!isPassed || !isScalar || !isAlone || !passesConstant.test(op)) continue;
    for (const { tensor } of inputs) found.add(tensor);
  }
  return found;
}

const noFigures: EdgeFigures = { steps: [], bytes: 0, seconds: 0 };

const inParts = nothingSent(
  mindsporeSteps,
  "MindSpore leaves the gradient of copies in parts, which an earlier AllReduce or the mirrors add up.",
);

function besideOurs(
  tensor: EdgeRow["tensor"],
  name: string,
  theirs: PlannedOutcome,
  own: OwnGradient | undefined,
): EdgeRow {
  const ours = own?.figures ?? noFigures;
  const facts = { isPartial: false, isAcross: false, codes: [] };
  const isSame = whyItDiffers(undefined, ours, theirs, facts) === sameAsOurs;
  return {
    kind: "edge",
    tensor,
    name,
    reason: "turned",
    ...(own !== undefined && { redistribution: own.index }),
    ours,
    theirs: isSame ? { ...theirs, why: sameAsOurs } : theirs,
    phase: "backward",
    count: 1,
  };
}
