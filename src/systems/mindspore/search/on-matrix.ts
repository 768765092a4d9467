import type { MappedTensor } from "../redistribution/flat-layout.ts";
import { piecesIn, reads, writtenChoice } from "./choices.ts";
import { type Edge, hasSeveralInputs, type Node } from "./propagation-graph.ts";

/**
 * Adds to a reader the choice that lies on its producers' device matrix, where its pieces are those
 * that have reached it. A reader with several inputs gets it when all have reached it.
 */
export function addOnMatrix(edge: Edge): void {
  const { from, to } = edge;
  if (from.kind === "reshape" || to.kind === "reshape") return;
  if (hasSeveralInputs(to)) {
    to.reached.push(edge);
    if (to.reached.length !== to.inputs) return;
  }
  const edges = hasSeveralInputs(to) ? to.reached : [edge];
  if (edges.some((each) => each.from.kind === "dataset")) return;
  const layouts: (MappedTensor | undefined)[] = Array.from({ length: to.inputs });
  for (const { from: producer, output, input } of edges)
    layouts[input] = producer.selected?.outputs[output];
  addLaidOut(to, layouts);
}

/** Adds to a producer with one input the choice that lies on its reader's device matrix. */
export function addOnReaderMatrix({ from, to, input }: Edge): void {
  if (to.kind === "reshape" || hasSeveralInputs(from) || from.kind === "parameter") return;
  addLaidOut(from, [to.selected?.inputs[input]]);
}

function addLaidOut(node: Node, layouts: readonly (MappedTensor | undefined)[]): void {
  const { operator, choices } = node;
  const [first] = layouts;
  const known = layouts.flatMap((layout) => layout ?? []);
  const matrix = first?.deviceMatrix.join();
  if (first === undefined || operator === undefined || known.length < layouts.length) return;
  if (known.some(({ deviceMatrix }) => deviceMatrix.join() !== matrix)) return;
  const pieces = known.map((layout) => piecesIn(layout).join());
  const alike = choices.find(({ strategies }) =>
    strategies.every((cuts, at) => cuts.join() === pieces[at]),
  );
  if (alike === undefined || known.every((layout, at) => reads(layout, at)(alike))) return;
  const added = writtenChoice(operator.call, {
    kind: "layouts",
    deviceMatrix: first.deviceMatrix,
    inputs: known.map(({ tensorMap }) => tensorMap),
  });
  if (added !== undefined) node.choices = [...choices, { ...added, strategies: alike.strategies }];
}
