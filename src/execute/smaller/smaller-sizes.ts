import type { Graph, Operator, OperatorId, Tensor } from "#core/ir";
import type { Plan } from "#core/plan";
import type { SpmdProgram } from "#core/program";
import { bindsAs, boundShapes } from "./bound-shapes.ts";
import { chooseSizes } from "./choose-sizes.ts";
import { type CutCounts, cutCounts } from "./cut-counts.ts";
import { resizedAttributes } from "./resized-attributes.ts";
import { resizedOperator } from "./resized-operator.ts";
import { SizeEquations } from "./size-equations.ts";
import { axisNode, dimNode, factorNode, type ShapeOf, type SizeNode } from "./size-nodes.ts";
import { sizeRelations } from "./size-relations.ts";
import { tilesOf } from "./slice-relations.ts";

/** Limits of smaller sizes. */
export interface SizeLimits {
  /**
   * Lower limit on the elements of a piece of a cut dim, for pieces that are at least as large at
   * present.
   */
  readonly floor: number;
  /** Operators whose operands keep their sizes, because their bodies take no others. */
  readonly pinned: ReadonlySet<OperatorId>;
  /** Whether a function has a body that runs; otherwise only the annotation is known. */
  readonly hasBody: (operator: Operator) => boolean;
}

/**
 * The graph of a program on smaller sizes, which its plan cuts into as many pieces: sizes divisible
 * by a number of pieces stay so, all others keep as many short and empty pieces.
 *
 * Sizes that belong together shrink together: a dim follows from heads and their width, from its
 * parts, or from the windows that slide over it. If an operator cannot be bound to the sizes that
 * follow, all its sizes stay.
 */
export function smallerSizes(plan: Plan, program: SpmdProgram, limits: SizeLimits): Graph {
  const { graph } = program;
  const cuts = cutCounts(plan, program);
  const pinned = new Set(limits.pinned);
  for (;;) {
    const sizes = new SizedGraph(graph, cuts, { ...limits, pinned }, deviceCountOf(plan));
    const smaller = sizes.resized();
    const misfits = smaller.operators.filter((operator, at) => {
      const before = graph.operators[at];
      return (
        before !== undefined && !pinned.has(operator.id) && !sizes.fits(before, operator, smaller)
      );
    });
    if (misfits.length === 0) return smaller;
    for (const { id } of misfits) pinned.add(id);
  }
}

function deviceCountOf({ mesh, microbatches }: Plan): number {
  return mesh.devices.length * (microbatches?.count ?? 1);
}

class SizedGraph {
  private readonly graph: Graph;
  private readonly shapeOf: ShapeOf;
  private readonly equations: SizeEquations;
  private readonly chosen: ReadonlyMap<SizeNode, number>;

  constructor(graph: Graph, cuts: CutCounts, limits: SizeLimits, deviceCount: number) {
    const { floor, pinned } = limits;
    this.graph = graph;
    this.shapeOf = shapesOf(graph);
    const sizes = nodesOf(graph);
    const sizeOf = (node: SizeNode) => sizes.get(node);
    const kept = graph.operators
      .filter(({ id }) => pinned.has(id))
      .flatMap((operator) =>
        operandNodes(operator, this.shapeOf).map((node) => ({ kind: "pinned", node }) as const),
      );
    const relations = [...sizeRelations(graph, this.shapeOf, deviceCount, limits.hasBody), ...kept];
    const reads = (operator: Operator) => inputNodes(operator, this.shapeOf);
    this.equations = new SizeEquations(relations, sizeOf, reads);
    const bind = boundShapes(this.shapeOf);
    const problem = { equations: this.equations, sizeOf, nodes: sizes.keys(), cuts, floor, bind };
    this.chosen = chooseSizes(problem);
  }

  resized(): Graph {
    const { graph } = this;
    const tensors = graph.tensors.map((tensor): Tensor => {
      const shape = tensor.shape.map((size, dim) => this.sizeAt(dimNode(tensor.id, dim)) ?? size);
      const isSame = shape.every((size, dim) => size === tensor.shape[dim]);
      const { strides: _, ...rest } = tensor;
      return isSame ? tensor : { ...rest, shape };
    });
    const newShapeOf = shapesOf({ tensors });
    const tiles = tilesOf(graph, this.shapeOf);
    const attributesOf = resizedAttributes(
      graph,
      this.shapeOf,
      newShapeOf,
      tiles,
      (operator, axis) => this.sizeAt(axisNode(operator, axis)),
    );
    const operators = graph.operators.map((operator) =>
      resizedOperator(operator, {
        shapeOf: this.shapeOf,
        newShapeOf,
        sizeOfAxis: (axis) => this.sizeAt(axisNode(operator, axis)),
        sizeOfFactor: (place, name) =>
          this.sizeAt(factorNode(operator, place)) ?? this.sizeAt(axisNode(operator, name)),
        attributes: attributesOf(operator),
      }),
    );
    return { ...graph, tensors, operators };
  }

  /** Whether an operator takes its new sizes, as it took the old ones. */
  fits(before: Operator, operator: Operator, smaller: Graph): boolean {
    return bindsAs(before, this.shapeOf, operator, shapesOf(smaller));
  }

  private sizeAt(node: SizeNode): number | undefined {
    return this.chosen.get(this.equations.rootOf(node));
  }
}

function shapesOf({ tensors }: Pick<Graph, "tensors">): ShapeOf {
  const shapes = new Map(tensors.map(({ id, shape }) => [id, shape]));
  return (tensor) => shapes.get(tensor) ?? [];
}

/** All sizes of a graph by their place. */
function nodesOf(graph: Graph): ReadonlyMap<SizeNode, number> {
  const nodes = new Map<SizeNode, number>();
  for (const { id, shape } of graph.tensors)
    for (const [dim, size] of shape.entries()) nodes.set(dimNode(id, dim), size);
  for (const operator of graph.operators) {
    const axes = new Set(operator.axes.map(({ name }) => name));
    for (const { name, size } of operator.axes) nodes.set(axisNode(operator, name), size);
    for (const number of operator.entry === undefined ? numbersIn(operator) : [])
      nodes.set(axisNode(operator, number), Number(number));
    for (const [at, { dims }] of [...operator.inputs, ...operator.outputs].entries()) {
      for (const [dim, { identifiers }] of dims.entries()) {
        const names = identifiers.filter((name) => name !== "1");
        if (names.length < 2) continue;
        for (const [place, name] of names.entries())
          if (!axes.has(name))
            nodes.set(factorNode(operator, `${at} ${dim} ${place}`), Number(name));
      }
    }
  }
  return nodes;
}

function numbersIn({ inputs, outputs }: Operator): readonly string[] {
  return [...inputs, ...outputs].flatMap(({ dims }) =>
    dims.flatMap(({ identifiers }) => identifiers.filter((name) => Number(name) > 1)),
  );
}

function inputNodes({ inputs }: Operator, shapeOf: ShapeOf): readonly SizeNode[] {
  return inputs.flatMap(({ tensor }) => shapeOf(tensor).map((_, dim) => dimNode(tensor, dim)));
}

function operandNodes(operator: Operator, shapeOf: ShapeOf): readonly SizeNode[] {
  const outputs = operator.outputs.flatMap(({ tensor }) =>
    shapeOf(tensor).map((_, dim) => dimNode(tensor, dim)),
  );
  const axes = operator.axes.map(({ name }) => axisNode(operator, name));
  return [...inputNodes(operator, shapeOf), ...outputs, ...axes];
}
