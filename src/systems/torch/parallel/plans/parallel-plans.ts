import type { Diagnostic, Span } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { DeviceMesh, Layout, Part } from "#core/mesh";
import {
  type OperatorPlan,
  type Placement,
  type Plan,
  producedLayout,
  propagate,
  type Requests,
} from "#core/plan";
import type { SystemPlans, SystemReading } from "#language/document/bindings";
import { type ParallelRecord, parallelIn } from "../record.ts";
import { AskedCuts, joined } from "./asked-cuts.ts";
import { dataCuts, partsOfSharded, sequenceCuts } from "./data-cuts.ts";
import { MeshParts } from "./mesh-parts.ts";
import { ModuleOperators } from "./module-operators.ts";
import { askStyles, dimOf, type StyleSetting } from "./style-cuts.ts";
import { summedGradients } from "./summed-gradients.ts";

type Placed = ReturnType<SystemPlans["on"]>;

const nothing: Placed = { plans: new Map(), placements: new Map(), diagnostics: [] };

/** The plan that a program requests in the words of parallel PyTorch. */
export function parallelPlans({ trace, built, source }: SystemReading): SystemPlans {
  const record = parallelIn(trace);
  return {
    matrices: [],
    diagnostics: [],
    on: (mesh) => {
      if (record === undefined || record.isEmpty) return nothing;
      return new ParallelPlans(record, new ModuleOperators(built), mesh, source).plans();
    },
  };
}

/**
 * Builds the plan of one program. The cut of the batch is followed through the graph first, as if
 * nothing else were cut; then styles and placements add their cuts.
 */
class ParallelPlans {
  private readonly record: ParallelRecord;
  private readonly operators: ModuleOperators;
  private readonly mesh: DeviceMesh;
  private readonly parts: MeshParts;
  private readonly asked = new AskedCuts();
  private readonly diagnostics: Diagnostic[] = [];
  private readonly data: Requests["placements"];
  private readonly batch: Plan;

  constructor(
    record: ParallelRecord,
    operators: ModuleOperators,
    mesh: DeviceMesh,
    source: string,
  ) {
    this.record = record;
    this.operators = operators;
    this.mesh = mesh;
    this.parts = new MeshParts(mesh);
    const { placements, diagnostics } = dataCuts(record, operators, mesh, this.parts, source);
    this.data = placements;
    this.diagnostics.push(...diagnostics);
    const { graph } = operators.built;
    const sequences = sequenceCuts(record, operators, mesh, this.parts);
    this.batch = propagate(graph, mesh, { operators: sequences, placements }).plan;
    for (const [id, { strategy, span }] of sequences)
      for (const [axis, parts] of Object.entries(strategy.cuts))
        this.asked.operator(id, axis, parts, span ?? { from: 0, to: 0 });
  }

  plans(): Placed {
    this.askPlaced();
    const setting: StyleSetting = {
      ...{ record: this.record, operators: this.operators, parts: this.parts, asked: this.asked },
      diagnostics: this.diagnostics,
      heldAs: ({ module }, name) =>
        this.operators.idOf(this.record.tensorOf(module.attributes.get(name))),
    };
    askStyles(setting);
    const placements = new Map<TensorId, Placement>(this.data);
    for (const [id, asked] of this.asked.tensors) {
      const layout = this.layoutOf(id);
      if (layout !== undefined) placements.set(id, { layout, status: "set", span: asked.span });
    }
    const sharded = this.sharded(placements);
    return {
      plans: this.operatorPlans(),
      placements: new Map([...placements, ...sharded.rest]),
      held: sharded.held,
      gatheredAgain: sharded.again,
      keptGathered: sharded.kept,
      diagnostics: [...this.diagnostics, ...this.strangers()],
      trainingNotes: summedGradients(setting),
    };
  }

  /** Tensors that the text distributes. */
  private askPlaced(): void {
    for (const { tensor, mesh, placements, span } of this.record.placed) {
      const id = this.operators.idOf(tensor);
      if (id === undefined) continue;
      this.asked.tensor(id, undefined, [], span);
      for (const [at, word] of placements.entries()) {
        const over = mesh[at];
        const dim = dimOf(word, tensor.shape?.length ?? 0);
        if (over !== undefined && dim !== undefined)
          this.asked.tensor(id, dim, this.parts.of(over), span);
      }
      if (tensor.producer?.op === "redistribute") this.askCopy(id, span);
    }
  }

  /**
   * The copy that redistributes a tensor gets the tensor's final layout as its input: one step,
   * without a sum between.
   */
  private askCopy(id: TensorId, span: Span): void {
    const copy = this.operators.built.graph.operators.find(({ outputs }) =>
      outputs.some(({ tensor }) => tensor === id),
    );
    if (copy === undefined) return;
    this.asked.operator(copy.id, undefined, [], span);
    for (const [dim, parts] of this.asked.tensors.get(id)?.dims ?? [])
      this.asked.operator(copy.id, copy.outputs[0]?.dims[dim]?.splittable, parts, span);
  }

  /** Operators that a style speaks of: what the batch cuts, and behind it what the style cuts. */
  private operatorPlans(): ReadonlyMap<OperatorId, OperatorPlan> {
    const found = [...this.asked.operators].map(([id, { cuts, span }]) => {
      const batch = this.batch.operators.get(id)?.strategy.cuts ?? {};
      const names = new Set([...Object.keys(batch), ...Object.keys(cuts)]);
      const both = [...names].map((name) => [name, joined(batch[name] ?? [], cuts[name] ?? [])]);
      const strategy = { cuts: Object.fromEntries(both), carry: [] };
      return [id, { strategy, mesh: this.mesh, status: "set", span }] as const;
    });
    return new Map(found);
  }

  /** How a tensor lies: as the batch has it, and cut further as it is asked. */
  private layoutOf(id: TensorId): Layout | undefined {
    const { graph } = this.operators.built;
    const tensor = graph.tensors.find((each) => each.id === id);
    if (tensor === undefined || tensor.isUnknown) return undefined;
    const base = this.batchLayout(id, tensor.producer);
    const asked = this.asked.tensors.get(id)?.dims;
    const dims = tensor.shape.map((_, dim) => ({
      parts: joined(base?.dims[dim]?.parts ?? [], asked?.get(dim) ?? []),
      chunks: "flat" as const,
    }));
    return { mesh: this.mesh, dims, partials: [] };
  }

  private batchLayout(id: TensorId, producer: OperatorId | undefined): Layout | undefined {
    if (producer === undefined) return this.data.get(id)?.layout;
    const maker = this.operators.built.graph.operators.find((each) => each.id === producer);
    const plan = this.batch.operators.get(producer);
    const operand = maker?.outputs.find(({ tensor }) => tensor === id);
    return maker && plan && operand && producedLayout(maker, operand, plan);
  }

  /** Parameters that rest in pieces: cut on their first dim, inside of what styles cut there. */
  private sharded(placements: ReadonlyMap<TensorId, Placement>) {
    const rest = new Map<TensorId, Placement>();
    const held = new Map<TensorId, Layout>();
    const [again, kept] = [new Set<TensorId>(), new Set<TensorId>()];
    for (const each of this.record.sharded) {
      const { shard } = partsOfSharded(each, this.parts);
      for (const parameter of each.parameters) {
        const id = this.operators.idOf(parameter);
        const layout =
          id === undefined ? undefined : (placements.get(id)?.layout ?? this.layoutOf(id));
        if (id === undefined || layout === undefined || layout.dims.length === 0) continue;
        held.set(id, layout);
        rest.set(id, { layout: cutFirst(layout, shard), status: "set", span: each.span });
        ((each.isGatheredAgain ?? this.isInner(each)) ? again : kept).add(id);
      }
    }
    return { rest, held, again, kept };
  }

  /** Whether another module around this one rests in pieces too. */
  private isInner({ module }: ParallelRecord["sharded"][number]): boolean {
    return this.record.sharded.some((other) => other.module !== module && other.inside.has(module));
  }

  private strangers(): readonly Diagnostic[] {
    return [...this.parts.strangers].map(({ dims, span }) => ({
      code: "torch/not-on-mesh",
      severity: "warning",
      message: `a mesh of ${dims.map(({ size }) => size).join(" × ")} devices cannot be told on the mesh of the board: what the text says of it is left out`,
      span,
    }));
  }
}

function cutFirst(layout: Layout, parts: readonly Part[]): Layout {
  const dims = layout.dims.map((dim, at) =>
    at === 0 ? { ...dim, parts: joined(dim.parts, parts) } : dim,
  );
  return { ...layout, dims };
}
