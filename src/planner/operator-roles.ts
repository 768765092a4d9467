import type { Graph, Operand, Operator, TensorId } from "#core/ir";
import type { Strategy } from "#core/plan";

/**
 * The role of a mesh axis for an operator (planner.md §6.1). For a product with a weight it is
 * `batch` if the axis cuts an identifier that the weight lacks, `column` if weight and result have
 * it, `row` if it is summed, `expert` if weight, data and result all have it. For other operators
 * it is `whole` if the axis cuts nothing, else `follow`.
 */
export type AxisRole = "batch" | "column" | "row" | "expert" | "follow" | "whole";

/** The place of an axis in an activation's layout: at a dim, on none, or in partial sums. */
export type AxisPlace = number | "whole" | "partial";

/** An activation on its way from its producer to one reader. */
export interface Passage {
  readonly maker: Operator;
  readonly reader: Operator;
  readonly operand: Operand;
  readonly from: AxisPlace;
  readonly to: AxisPlace;
}

/** The operators of a plan from the view of one mesh axis. */
export class AxisView {
  private readonly graph: Graph;
  private readonly cuts: ReadonlyMap<Operator, string>;
  private readonly parameters: ReadonlySet<TensorId>;

  constructor(
    graph: Graph,
    axis: string,
    strategyOf: (operator: Operator) => Strategy | undefined,
  ) {
    this.graph = graph;
    this.parameters = new Set(
      graph.tensors.flatMap(({ id, role }) => (role === "parameter" ? [id] : [])),
    );
    this.cuts = new Map(
      graph.operators.flatMap((operator) => {
        const cut = cutBy(axis, strategyOf(operator));
        return cut === undefined ? [] : [[operator, cut] as const];
      }),
    );
  }

  get isUsed(): boolean {
    return this.cuts.size > 0;
  }

  /**
   * Whether some operator other than a product combines inside itself over an identifier that the
   * axis cuts.
   */
  get combinesInside(): boolean {
    return [...this.cuts].some(
      ([operator, cut]) =>
        operator.inner?.includes(cut) === true && this.weightsOf(operator).length === 0,
    );
  }

  /** The operators that sum over an identifier of a weight. */
  get products(): readonly Operator[] {
    return this.graph.operators.filter((operator) => this.weightsOf(operator).length > 0);
  }

  /** The weights over whose identifiers an operator sums. */
  weightsOf({ inputs, outputs }: Operator): readonly Operand[] {
    return inputs.filter(
      (operand) =>
        this.parameters.has(operand.tensor) &&
        namesOf(operand).some((name) => !outputs.some((output) => namesOf(output).includes(name))),
    );
  }

  roleOf(operator: Operator): AxisRole {
    const cut = this.cuts.get(operator);
    if (cut === undefined) return "whole";
    const weights = this.weightsOf(operator);
    if (weights.length === 0) return "follow";
    const has = (operand: Operand) => namesOf(operand).includes(cut);
    if (!weights.some(has)) return "batch";
    if (!operator.outputs.some(has)) return "row";
    const data = operator.inputs.filter(({ tensor }) => !this.parameters.has(tensor));
    return data.some(has) ? "expert" : "column";
  }

  /** Every activation that one operator makes and another reads. */
  get passages(): readonly Passage[] {
    const makers = new Map(
      this.graph.operators.flatMap((operator) =>
        operator.outputs.map((operand) => [operand.tensor, { operator, operand }] as const),
      ),
    );
    return this.graph.operators.flatMap((reader) =>
      reader.inputs.flatMap((operand): readonly Passage[] => {
        const made = makers.get(operand.tensor);
        if (made === undefined) return [];
        const from = this.placeIn(made.operator, made.operand);
        const read = this.placeIn(reader, operand);
        const to = read === "partial" ? "whole" : read;
        return [{ maker: made.operator, reader, operand, from, to }];
      }),
    );
  }

  private placeIn(operator: Operator, operand: Operand): AxisPlace {
    const cut = this.cuts.get(operator);
    if (cut === undefined) return "whole";
    const dim = operand.dims.findIndex(({ splittable }) => splittable === cut);
    return dim >= 0 ? dim : "partial";
  }
}

function cutBy(axis: string, strategy: Strategy | undefined): string | undefined {
  const found = Object.entries(strategy?.cuts ?? {}).find(([, parts]) =>
    parts.some((part) => part.kind === "axis" && part.axis === axis),
  );
  return found?.[0];
}

function namesOf({ dims }: Operand): readonly string[] {
  return dims.flatMap(({ identifiers }) => identifiers);
}
