import { lazy, Suspense } from "react";
import { isDrawnByRows, type PlanDrawing } from "#app/scene";
import { type AppState, type Compiled, drawn } from "#app/state";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";

// Loaded while the first plan is worked out, without which there is nothing to draw.
const GraphCanvas = lazy(async () => ({
  default: (await import("../canvas/GraphCanvas.tsx")).GraphCanvas,
}));

const board = () => import("./Board.tsx");
const Board = lazy(async () => ({ default: (await board()).Board }));

/** How the plan is drawn: as the reader chose, or by the size of its program. */
export function planDrawingOf(state: AppState): PlanDrawing {
  const graph = drawn(state)?.graph;
  return state.planDrawing ?? (graph !== undefined && isDrawnByRows(graph) ? "rows" : "graph");
}

const Variants = lazy(async () => ({
  default: (await import("../compare/Variants.tsx")).Variants,
}));

/** The variants, whose code is loaded when they are asked for. */
export function VariantsLater({ compiled }: { readonly compiled: Compiled }) {
  return (
    <Suspense fallback={<div className="canvas" />}>
      <Variants compiled={compiled} />
    </Suspense>
  );
}

/** The program by rows or as a graph, or the variants in its place. */
export function PlanCanvas() {
  const drawing = useApp(planDrawingOf);
  const compiled = useApp(drawn);
  const areVariants = useApp((state) => state.areVariantsShown);
  const isGraph = drawing === "graph" || compiled === undefined;
  if (areVariants && compiled !== undefined) return <VariantsLater compiled={compiled} />;
  return (
    <Suspense fallback={<div className="canvas" />}>
      {isGraph || compiled.graph.operators.length === 0 ? (
        <GraphCanvas />
      ) : (
        <Board compiled={compiled} />
      )}
    </Suspense>
  );
}

/** Rows or boxes with lines, where there is something to draw. */
export function PlanDrawingSwitch() {
  const drawing = useApp(planDrawingOf);
  const draw = useApp((state) => state.drawPlan);
  const isEmpty = useApp((state) => (drawn(state)?.graph.operators.length ?? 0) === 0);
  if (isEmpty) return null;
  return (
    <Segmented label="Drawing of the plan" value={drawing} choices={drawings} onChange={draw} />
  );
}

const drawings = [
  ["rows", "Rows"],
  ["graph", "Graph"],
] as const;
