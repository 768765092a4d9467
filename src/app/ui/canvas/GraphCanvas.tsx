import {
  ReactFlow,
  ReactFlowProvider,
  useStore as useFlowStore,
  ViewportPortal,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { lazy, memo, Suspense, useMemo, useState } from "react";
import type { Rect } from "#app/scene";
import {
  type CanvasEdge,
  type CanvasLayout,
  type CanvasNode,
  type CanvasWindow,
  createWindow,
  nodeOf,
} from "#app/scene/graph";
import { drawn, isStale, type LaidOutDrawing } from "#app/state";
import type { Compiled } from "#compile";
import { DifferenceContext, useDifference } from "../compare/difference-context.ts";
import { LitContext, useLitNodes } from "../compare/lit-nodes.ts";
import { useApp } from "../store-context.tsx";
import { Starters } from "../top/Starters.tsx";
import { CanvasTools } from "./CanvasTools.tsx";
import { nodeTypes, useSizesOfLayout } from "./CardNodes.tsx";
import { Contents } from "./Contents.tsx";
import { Dots } from "./Dots.tsx";
import { panEndsByEscape } from "./end-pan.ts";
import { FarCanvas } from "./FarCanvas.tsx";
import { farBelow } from "./far-painter.ts";
import { createGlyphBitmaps, GlyphBitmapsContext } from "./glyph-bitmaps.ts";
import { createLookup, LookupContext } from "./lookup.ts";
import { RovingContext } from "./roving.ts";
import { useAnchor } from "./use-anchor.ts";
import { useFirstView } from "./use-first-view.ts";
import { type PaneHandlers, usePane } from "./use-pane.ts";
import { useReveal } from "./use-reveal.ts";
import { useRoving } from "./use-roving.ts";
import { useWindow } from "./use-window.ts";
import { levelOf } from "./zoom-level.ts";

const Minimap = lazy(async () => ({ default: (await import("./Minimap.tsx")).Minimap }));
const Hint = lazy(async () => ({ default: (await import("./Hint.tsx")).Hint }));
const TrainingParts = lazy(async () => ({
  default: (await import("./TrainingParts.tsx")).TrainingParts,
}));

/** Program as a graph: operators, tensors, and redistributions on their edges. */
export function GraphCanvas() {
  const compiled = useApp(drawn);
  const places = useApp((state) => state.laidOut);
  if (compiled !== undefined && compiled.graph.tensors.length === 0) return <EmptyCanvas />;
  if (compiled === undefined || places === undefined) return <div className="canvas" />;
  return (
    <ReactFlowProvider>
      <Flow compiled={compiled} places={places} />
    </ReactFlowProvider>
  );
}

function EmptyCanvas() {
  return (
    <div className="canvas">
      <Starters />
    </div>
  );
}

interface FlowProps {
  readonly compiled: Compiled;
  readonly places: LaidOutDrawing;
}

function Flow({ compiled, places }: FlowProps) {
  const { layout } = places;
  const [bitmaps] = useState(createGlyphBitmaps);
  const [lookupOf] = useState(createLookup);
  const lookup = useMemo(() => lookupOf(compiled), [compiled, lookupOf]);
  const index = useMemo(() => createWindow(layout), [layout]);
  const lightOf = useLitNodes(compiled);
  const difference = useDifference(compiled);
  const stale = useApp(isStale);
  const level = useFlowStore((state) => levelOf(state.transform[2]));
  const isAfar = useFlowStore((state) => state.transform[2] < farBelow(layout));
  const { roving, claim, current, onKeyDown } = useRoving(layout);
  const hovered = useState<CanvasNode | undefined>(undefined);
  const kept = useKept(layout, [current, hovered[0]?.id]);
  const { nodes, edges } = useWindow(layout, index, kept);
  useSizesOfLayout();
  useReveal(layout);
  const sight = useAnchor(places, claim);
  const showAll = useFirstView(places);
  const pane = usePane({ layout, index }, hovered);
  return (
    <RovingContext.Provider value={roving}>
      <LookupContext.Provider value={lookup}>
        <GlyphBitmapsContext.Provider value={bitmaps}>
          <DifferenceContext.Provider value={difference}>
            <LitContext.Provider value={lightOf}>
              <section
                className={`canvas lod-${level} ${layout.heads.length > 0 ? "has-lane" : ""} ${stale ? "is-stale" : ""} ${isAfar ? "is-afar" : ""}`}
                aria-label="Graph"
                onKeyDown={onKeyDown}
              >
                <div className="canvas-body">
                  <FlowView {...{ nodes, edges, layout, index, sight }} {...pane} />
                  <Suspense>
                    <Minimap layout={layout} />
                  </Suspense>
                </div>
                <CanvasTools layout={layout} current={current} showAll={showAll} />
                <Suspense>
                  <Hint />
                </Suspense>
              </section>
            </LitContext.Provider>
          </DifferenceContext.Provider>
        </GlyphBitmapsContext.Provider>
      </LookupContext.Provider>
    </RovingContext.Provider>
  );
}

/** Boxes that stay in the DOM wherever they are: focused, hovered or selected. */
function useKept(
  layout: CanvasLayout,
  ids: readonly (string | undefined)[],
): readonly CanvasNode[] {
  const selection = useApp((state) => state.selection);
  const [current, hovered] = ids;
  return useMemo(() => {
    const wanted = new Set([current, hovered]);
    const selected = [
      nodeOf(layout, selection),
      ...(selection.tensor === undefined ? [] : [nodeOf(layout, { tensor: selection.tensor })]),
    ];
    return layout.nodes.filter((node) => wanted.has(node.id) || selected.includes(node));
  }, [layout, selection, current, hovered]);
}

const noKeys = {
  panActivationKeyCode: null,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  zoomActivationKeyCode: null,
};

interface FlowViewProps extends PaneHandlers {
  readonly nodes: readonly CanvasNode[];
  readonly edges: readonly CanvasEdge[];
  readonly layout: CanvasLayout;
  readonly index: CanvasWindow;
  /** Visible rectangle, if the layout is one of the same graph as before; else `undefined`. */
  readonly sight: Rect | undefined;
}

/**
 * React Flow pans, zooms and renders the visible boxes as its nodes. Lines, minimap, tools, focus
 * and selection are the app's own: `docs/choices.md` says why.
 */
const FlowView = memo(function FlowView({ layout, index, ...rest }: FlowViewProps) {
  const { nodes, edges, sight, ...pane } = rest;
  return (
    <ReactFlow
      nodeTypes={nodeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      minZoom={leastZoom(layout)}
      maxZoom={2}
      zoomOnDoubleClick={false}
      proOptions={noAttribution}
      {...noKeys}
      {...panEndsByEscape}
      {...pane}
    >
      <Dots />
      <FarCanvas layout={layout} index={index} />
      <ViewportPortal>
        {layout.heads.length > 0 && (
          <Suspense>
            <TrainingParts layout={layout} />
          </Suspense>
        )}
        <Contents {...{ nodes, edges, index, sight }} frames={layout.frames} />
      </ViewportPortal>
    </ReactFlow>
  );
});

const noAttribution = { hideAttribution: true };

/** Least zoom; lower for graphs that are high. */
function leastZoom({ height }: CanvasLayout): number {
  return Math.min(0.1, Math.max(0.01, 600 / height));
}
