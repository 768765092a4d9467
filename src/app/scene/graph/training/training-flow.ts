import type { Compiled } from "#compile";
import type { Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import type { LocalStep, Redistribution, ValueId } from "#core/program";
import { append } from "#core/records";
import { allSteps } from "../../folded.ts";
import { writtenRedistributions } from "../../text/redistribution-list.ts";
import type { Flow } from "../flow.ts";
import {
  badgeKey,
  seedKey,
  type TrainingBadge,
  type TrainingEdge,
  type TrainingFlow,
  type TrainingItem,
} from "./training-items.ts";

/**
 * The backward pass and the updates of a compiled program; `undefined` if it is not trained. Reads
 * of tensors saved by the forward pass have no lines, unless such a tensor is redistributed again.
 */
export function trainingFlowOf(compiled: Compiled, flow: Flow): TrainingFlow | undefined {
  const { graph, program } = compiled;
  if (program.graph.operators.length === graph.operators.length) return undefined;
  return new TrainingReader(compiled, flow).result();
}

interface Read {
  readonly item: string;
  readonly tensor: TensorId;
  readonly value: ValueId | undefined;
}

/** Reader of one compiled program; made anew for each layout. */
class TrainingReader {
  private readonly flow: Flow;
  private readonly later: readonly Operator[];
  private readonly tensors: ReadonlyMap<TensorId, Tensor>;
  private readonly steps: ReadonlyMap<OperatorId, LocalStep>;
  /** Row of each operator that training adds. */
  private readonly rows: ReadonlyMap<OperatorId, number>;
  private readonly itemOf = new Map<OperatorId, string>();
  private readonly members = new Map<string, Operator[]>();
  private readonly reads: readonly Read[];
  private readonly moving: readonly Redistribution[];
  private readonly made: ReadonlyMap<ValueId, Redistribution>;

  constructor(compiled: Compiled, flow: Flow) {
    const { graph, program } = compiled;
    this.flow = flow;
    const forward = new Set(graph.operators.map(({ id }) => id));
    this.later = program.graph.operators.filter(({ id }) => !forward.has(id));
    this.tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
    this.steps = stepsByOperator(compiled);
    this.rows = this.rowsOfLater(compiled);
    for (const operator of this.later) this.join(operator);
    this.reads = this.later.flatMap((operator) => this.readsOf(operator));
    const written = new Set(writtenRedistributions(compiled).map(({ index }) => index));
    this.moving = program.redistributions.filter(
      ({ index, input, output }) => !written.has(index) && input !== output,
    );
    this.made = new Map(this.moving.map((each) => [each.output, each]));
  }

  result(): TrainingFlow {
    const users = this.usersOf();
    const shown = new Set(this.moving.filter((each) => !this.isHidden(each, users(each))));
    const badges = [...shown].flatMap((each) => this.placed(each, users(each)));
    const isShown = new Set(badges.map(({ redistribution }) => redistribution.index));
    const edges = this.edgesOf(isShown);
    const readElsewhere = new Set(
      edges.flatMap(({ from, to, tensor }) => (isOfBlocks(from, to) ? [] : [`${from} ${tensor}`])),
    );
    const inside = new Map<string, Redistribution[]>();
    for (const each of this.moving) {
      const [user] = users(each);
      if (shown.has(each)) continue;
      append(inside, user ?? this.makerOf(each) ?? "", each);
    }
    const items = [...this.members].map(([key, operators]) => ({
      ...this.itemFor(key, operators, readElsewhere),
      inside: inside.get(key) ?? [],
    }));
    return { items, seeds: this.seedsOf(edges), badges, edges };
  }

  /**
   * Row of each operator that training adds: that of its forward operator. A sum of a parameter's
   * gradients takes the uppermost row of its terms, and an update the row where its gradient is
   * made.
   */
  private rowsOfLater({ graph }: Compiled): ReadonlyMap<OperatorId, number> {
    const { rowOf } = this.flow.folding;
    const rows = new Map<OperatorId, number>();
    const last = Math.max(0, this.flow.rows.length - 1);
    const firstReader = (tensor: TensorId) => {
      const reader = graph.operators.find(({ inputs }) =>
        inputs.some((operand) => operand.tensor === tensor),
      );
      return reader === undefined ? undefined : rowOf.get(reader.id);
    };
    for (const { id, of, phase, inputs, outputs } of this.later) {
      const own = of === undefined ? undefined : rowOf.get(of);
      const before = inputs.flatMap(({ tensor }) => {
        const maker = this.tensors.get(tensor)?.producer;
        return (maker === undefined ? undefined : rows.get(maker)) ?? [];
      });
      const above = before.length === 0 ? undefined : Math.min(...before);
      const [made] = outputs;
      const tensor = made === undefined ? undefined : this.tensors.get(made.tensor);
      const near = phase === "update" ? tensor?.replaces : tensor?.gradientOf;
      const rest = () => (near === undefined ? undefined : firstReader(near));
      rows.set(id, own ?? above ?? rest() ?? last);
    }
    return rows;
  }

  /** Adds an operator to its item: one of its own, or the item of the folded blocks in its row. */
  private join(operator: Operator): void {
    const row = this.rows.get(operator.id) ?? 0;
    const kind = operator.phase === "update" ? "update" : "gradient";
    const isFolded = this.flow.rows[row]?.kind === "stack";
    const key = isFolded ? `${kind} stack ${row}` : `${kind} ${operator.id}`;
    this.itemOf.set(operator.id, key);
    append(this.members, key, operator);
  }

  private readsOf({ id, inputs }: Operator): readonly Read[] {
    const values = this.steps.get(id)?.inputs;
    const item = this.itemOf.get(id) ?? "";
    return inputs.map(({ tensor }, at) => ({ item, tensor, value: values?.[at] }));
  }

  /**
   * The items that use a redistribution's result, directly or through further redistributions, in
   * program order.
   */
  private usersOf(): (each: Redistribution) => readonly string[] {
    const users = new Map<ValueId, Set<string>>();
    for (const { output } of this.moving) users.set(output, new Set());
    for (const { value, item } of this.reads) if (value !== undefined) users.get(value)?.add(item);
    for (const { input, output } of this.moving.toReversed()) {
      for (const item of users.get(output) ?? []) users.get(input)?.add(item);
    }
    const order = [...this.members.keys()];
    const orderOf = new Map(order.map((key, at) => [key, at]));
    return ({ output }) =>
      [...(users.get(output) ?? [])].sort((a, b) => (orderOf.get(a) ?? 0) - (orderOf.get(b) ?? 0));
  }

  /** The row of the folded blocks that make a tensor; `undefined` if no folded blocks do. */
  private homeOf(id: TensorId): number | undefined {
    const maker = this.tensors.get(id)?.producer;
    const { folding, rows } = this.flow;
    const row =
      maker === undefined
        ? folding.hiddenIn.get(id)
        : (this.rows.get(maker) ?? folding.rowOf.get(maker));
    return row !== undefined && rows[row]?.kind === "stack" ? row : undefined;
  }

  private isHidden({ tensor }: Redistribution, users: readonly string[]): boolean {
    const home = this.homeOf(tensor);
    return home !== undefined && users.every((key) => key.endsWith(` stack ${home}`));
  }

  private placed(
    redistribution: Redistribution,
    users: readonly string[],
  ): readonly TrainingBadge[] {
    const gradient = users.find((key) => key.startsWith("gradient "));
    const host = gradient ?? users[0];
    if (host !== undefined) return [{ redistribution, host, side: "before" }];
    const made = this.makerOf(redistribution);
    return made === undefined ? [] : [{ redistribution, host: made, side: "behind" }];
  }

  private makerOf({ tensor }: Redistribution): string | undefined {
    const maker = this.tensors.get(tensor)?.producer;
    return maker === undefined ? undefined : this.itemOf.get(maker);
  }

  /**
   * Key of the badge, card or seed that a value comes from; `undefined` if the forward pass makes
   * it.
   */
  private carrierOf(
    value: ValueId | undefined,
    tensor: TensorId,
    isShown: ReadonlySet<number>,
  ): string | undefined {
    const badge = value === undefined ? undefined : this.made.get(value);
    if (badge !== undefined && isShown.has(badge.index)) return badgeKey(badge.index);
    const known = this.tensors.get(tensor);
    if (known?.producer !== undefined) return this.itemOf.get(known.producer);
    return known?.role === "gradient" ? seedKey(tensor) : undefined;
  }

  private edgesOf(isShown: ReadonlySet<number>): readonly TrainingEdge[] {
    const edges = new Map<string, TrainingEdge>();
    const add = (from: string | undefined, to: string, tensor: TensorId) => {
      if (from === undefined || from === to) return;
      const key = isOfBlocks(from, to) ? `${from}|${to}` : `${from}|${to}|${tensor}`;
      if (!edges.has(key)) edges.set(key, { from, to, tensor });
    };
    for (const { item, tensor, value } of this.reads) {
      add(this.carrierOf(value, tensor, isShown), item, tensor);
    }
    for (const { index, input, tensor } of this.moving) {
      if (isShown.has(index)) add(this.carrierOf(input, tensor, isShown), badgeKey(index), tensor);
    }
    return [...edges.values()];
  }

  private itemFor(
    key: string,
    operators: readonly Operator[],
    readElsewhere: ReadonlySet<string>,
  ): Omit<TrainingItem, "inside"> {
    const [first] = operators;
    const row = first === undefined ? 0 : (this.rows.get(first.id) ?? 0);
    const folded = this.flow.rows[row];
    const runs = folded?.kind === "stack" ? folded.runs : [];
    const kind = first?.phase === "update" ? "update" : "gradient";
    const made = operators.flatMap(({ outputs }) => outputs.map(({ tensor }) => tensor));
    const results =
      runs.length === 0 ? made : made.filter((id) => readElsewhere.has(`${key} ${id}`));
    const given = operators.flatMap(({ inputs }) => inputs.map(({ tensor }) => tensor));
    const states = runs.length > 0 ? [] : given.filter((id) => this.isState(id));
    return { key, kind, row, operators, runs, results: kind === "update" ? [] : results, states };
  }

  private isState(id: TensorId): boolean {
    const tensor = this.tensors.get(id);
    return tensor?.role === "state" && tensor.producer === undefined;
  }

  /**
   * Gradients given as inputs, each with its first reader; those read only inside folded blocks are
   * not drawn.
   */
  private seedsOf(edges: readonly TrainingEdge[]): TrainingFlow["seeds"] {
    const readers = new Map<string, string>();
    for (const { from, to } of edges) {
      if (!from.startsWith("seed ") || readers.has(from)) continue;
      const host = to.startsWith("badge ") ? this.hostOf(to) : to;
      if (host !== undefined) readers.set(from, host);
    }
    return [...this.tensors.values()].flatMap((tensor) => {
      const reader = readers.get(seedKey(tensor.id));
      return reader === undefined ? [] : [{ tensor, reader }];
    });
  }

  private hostOf(badge: string): string | undefined {
    const users = this.usersOf();
    const found = this.moving.find(({ index }) => badgeKey(index) === badge);
    return found === undefined ? undefined : users(found)[0];
  }
}

/** Whether a line joins the gradients of folded blocks with the updates of the same blocks. */
function isOfBlocks(from: string, to: string): boolean {
  return from.includes(" stack ") && from.replace("gradient ", "update ") === to;
}

function stepsByOperator({ program }: Compiled): ReadonlyMap<OperatorId, LocalStep> {
  const steps = new Map<OperatorId, LocalStep>();
  for (const step of allSteps(program)) {
    if (step.kind === "local" && !steps.has(step.operator)) steps.set(step.operator, step);
  }
  return steps;
}
