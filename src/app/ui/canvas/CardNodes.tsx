import { type NodeProps, useStoreApi as useFlowStoreApi } from "@xyflow/react";
import { memo, useLayoutEffect, useState } from "react";
import { resultCard } from "#app/scene/card";
import type { CollectiveStep } from "#core/program";
import { MarkedCard } from "../compare/MarkedCard.tsx";
import { BadgeNode } from "./BadgeNode.tsx";
import { RunNode, StackNode } from "./BlockNodes.tsx";
import { CardPieces } from "./CardPieces.tsx";
import { type CardData, type CardNode, createCardNodes } from "./card-nodes.ts";
import type { ShownBox } from "./near-first.ts";
import { OperatorCard } from "./OperatorCard.tsx";
import { InputNode, TensorNode } from "./TensorNode.tsx";

/**
 * Gives boxes to React Flow as its nodes in the frame in which the view moves with them; its
 * `nodes` prop would show them a frame later.
 */
export function useCardNodes(boxes: readonly ShownBox[]): void {
  const store = useFlowStoreApi<CardNode>();
  const [nodesOf] = useState(createCardNodes);
  useLayoutEffect(() => store.getState().setNodes(nodesOf(boxes)), [store, nodesOf, boxes]);
}

/**
 * Disables React Flow's measuring: sizes come from the layout. Otherwise it measures every new or
 * resized box in the frame that paints it.
 */
export function useSizesOfLayout(): void {
  const store = useFlowStoreApi();
  useState(() => store.setState({ updateNodeInternals: () => undefined }));
}

const Card = memo(
  function Card({ data }: NodeProps<CardNode>) {
    return (
      <div className={`light ${data.light ?? ""}`}>
        <MarkedCard box={data.box}>{contentOf(data)}</MarkedCard>
      </div>
    );
  },
  (before, after) => before.data === after.data,
);

/** React Flow's node types: one, drawn by `Card`. */
export const nodeTypes = { card: Card };

const none: readonly CollectiveStep[] = [];

function contentOf({ box, said }: CardData) {
  const { operator, plan, tensor, view, orientation, redistribution, steps = none } = said;
  const { id } = box;
  const drawn = tensor && view && orientation && { id, tensor, view, orientation };
  switch (box.kind) {
    case "operator":
      return operator && <OperatorCard {...{ id, operator, plan }} name={box.name} />;
    case "stack":
      return <StackNode id={id} stack={box.stack} />;
    case "run":
      return <RunNode id={id} run={box.run} />;
    case "input":
      return drawn && <InputNode {...drawn} />;
    case "tensor":
      return drawn && <TensorNode {...drawn} name={box.caption.name} side={box.side} />;
    case "redistribution": {
      const { badge, isShort } = box;
      return redistribution && <BadgeNode {...{ id, redistribution, steps, badge, isShort }} />;
    }
    case "output":
      return (
        <span className="out-node">
          {resultCard(tensor?.name ?? box.tensor).rows.map(({ start }) => (
            <CardPieces key={box.id} of={start} />
          ))}
        </span>
      );
  }
}
