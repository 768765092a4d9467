import {
  Background,
  BackgroundVariant,
  MiniMap,
  type Node,
  type NodeMouseHandler,
  ReactFlow,
  ReactFlowProvider,
  useStore as useFlowStore,
  ViewportPortal,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { type KeyboardEvent, memo, useCallback, useMemo, useState } from "react";
import type { CanvasLayout, CanvasNode } from "#app/scene";
import { type Compiled, drawn, isStale, type Placed } from "#app/state";
import { LitContext, useLitNodes } from "../compare/lit-nodes.ts";
import { useApp } from "../store-context.tsx";
import { CanvasTools } from "./CanvasTools.tsx";
import { Edges } from "./Edges.tsx";
import { Hint } from "./Hint.tsx";
import { type FlowData, nodeTypes } from "./node-types.tsx";
import { neighbourOf, RovingContext } from "./roving.ts";
import { useFirstView } from "./use-first-view.ts";
import { useAnchor, useReveal } from "./use-folds.ts";

type FlowNode = Node<FlowData, "planNode">;

/** The program as a graph: operators, tensors and redistributions on their edges. */
export function GraphCanvas() {
  const compiled = useApp(drawn);
  const places = useApp((state) => state.placed);
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
      <p className="canvas-empty">
        No operators yet. Write a call such as <code>y = matmul(x, w)</code>, or open an example
        from the menu above.
      </p>
    </div>
  );
}

interface FlowProps {
  readonly compiled: Compiled;
  readonly places: Placed;
}

function Flow({ compiled, places }: FlowProps) {
  const { layout } = places;
  const [flowNodeOf] = useState(flowNodes);
  const nodes = useMemo(() => layout.nodes.map(flowNodeOf), [layout, flowNodeOf]);
  const stale = useApp(isStale);
  const [focused, focusOn] = useState<string | undefined>(undefined);
  const current = layout.nodes.some(({ id }) => id === focused) ? focused : layout.nodes[0]?.id;
  const [claim] = useState(createClaim);
  const roving = useMemo(
    () => ({ current, focusOn, isClaimed: claim.isClaimed }),
    [current, claim],
  );
  useReveal(layout);
  useAnchor(places, claim);
  const level = useFlowStore((state) => levelOf(state.transform[2]));
  const lightOf = useLitNodes(compiled);
  useFirstView(places);
  const onDoubleClick = useToggle();
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const next = neighbourOf(layout.nodes, current, event);
    if (next === undefined || !isOnNode(event.target)) return;
    event.preventDefault();
    const target = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-node]")].find(
      (element) => element.dataset["node"] === next,
    );
    target?.focus();
  };
  return (
    <RovingContext.Provider value={roving}>
      <section
        className={`canvas lod-${level} ${stale ? "is-stale" : ""}`}
        aria-label="Graph"
        onKeyDown={onKeyDown}
      >
        <div className="canvas-body">
          <LitContext.Provider value={lightOf}>
            <FlowView nodes={nodes} layout={layout} onDoubleClick={onDoubleClick} />
          </LitContext.Provider>
        </div>
        <CanvasTools layout={layout} current={current} />
        <Hint />
      </section>
    </RovingContext.Provider>
  );
}

/** A double click opens a block, or folds it by its head. */
function useToggle(): NodeMouseHandler<FlowNode> {
  const openRun = useApp((state) => state.openRun);
  const closeRun = useApp((state) => state.closeRun);
  return useCallback(
    (_event, { data: { node } }) => {
      if (node.kind === "run") closeRun(node.run.key);
      if (node.kind === "stack") openRun(node.stack.runs[0]?.key ?? "");
    },
    [openRun, closeRun],
  );
}

/** Remembers which node is to have the focus, until it is drawn and asks. */
function createClaim() {
  let claimed: string | undefined;
  return {
    take: (id: string) => {
      claimed = id;
    },
    isClaimed: (id: string) => {
      if (claimed !== id) return false;
      claimed = undefined;
      return true;
    },
  };
}

const noKeys = {
  panActivationKeyCode: null,
  deleteKeyCode: null,
  selectionKeyCode: null,
  multiSelectionKeyCode: null,
  zoomActivationKeyCode: null,
};

/** The library scales the overview's drawing by these. */
const miniMapSize = { width: 120, height: 68 };

const FlowView = memo(function FlowView(props: {
  readonly nodes: FlowNode[];
  readonly layout: CanvasLayout;
  readonly onDoubleClick: NodeMouseHandler<FlowNode>;
}) {
  return (
    <ReactFlow
      nodes={props.nodes}
      edges={[]}
      nodeTypes={nodeTypes}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      minZoom={0.1}
      maxZoom={2}
      zoomOnDoubleClick={false}
      onNodeDoubleClick={props.onDoubleClick}
      onlyRenderVisibleElements={props.nodes.length > 150}
      proOptions={{ hideAttribution: true }}
      {...noKeys}
    >
      <Background variant={BackgroundVariant.Dots} gap={20} size={1} />
      <ViewportPortal>
        <Edges layout={props.layout} />
      </ViewportPortal>
      <MiniMap
        position="bottom-left"
        pannable
        zoomable
        ariaLabel="Overview"
        nodeBorderRadius={6}
        style={miniMapSize}
      />
    </ReactFlow>
  );
});

/** The library's node for each of ours: the same one for the same, so that it is not drawn anew. */
function flowNodes(): (node: CanvasNode) => FlowNode {
  const made = new WeakMap<CanvasNode, FlowNode>();
  return (node) => {
    const flowNode = made.get(node) ?? flowNodeFor(node);
    made.set(node, flowNode);
    return flowNode;
  };
}

function flowNodeFor(node: CanvasNode): FlowNode {
  return {
    id: node.id,
    type: "planNode" as const,
    position: { x: node.x, y: node.y },
    width: node.width,
    height: node.height,
    data: { node },
    style: { width: node.width, height: node.height },
  };
}

/** How much is drawn at a zoom: everything, names and bars, or shapes only. */
function levelOf(zoom: number): "near" | "mid" | "far" {
  if (zoom >= 0.75) return "near";
  return zoom >= 0.35 ? "mid" : "far";
}

function isOnNode(target: EventTarget): boolean {
  return target instanceof Element && target.closest("[data-node]") !== null;
}
