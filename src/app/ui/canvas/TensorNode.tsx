import { memo } from "react";
import { glyphRooms, inputCard, stateCard, tensorCard } from "#app/scene/card";
import { haloSentence, type Orientation, orientationText } from "#app/scene/glyph";
import { type AppState, selectedTensor } from "#app/state";
import { wrongDevices } from "#app/state/run";
import { shownLayout, type TensorView } from "#compile";
import type { Tensor } from "#core/ir";
import { Spoken } from "../atoms/Spoken.tsx";
import { chosenNotation } from "../drawing/LayoutLabel.tsx";
import { useDrawnTensor } from "../drawing/use-drawn-tensor.ts";
import { FaultMark } from "../index-space/FaultMark.tsx";
import { useSelectedHalos } from "../index-space/use-halos.ts";
import { useAppEquals, useAppStore, useShared } from "../store-context.tsx";
import { useStatus } from "../use-status.ts";
import { tensorSentence, wrongSentence } from "../words.ts";
import { CardPieces, CardRowView } from "./CardPieces.tsx";
import { DimZones } from "./DimZones.tsx";
import { useRovingNode } from "./roving.ts";
import { TensorDrawing } from "./TensorDrawing.tsx";

interface Props {
  readonly id: string;
  readonly tensor: Tensor;
  readonly view: TensorView;
  readonly orientation: Orientation;
}

/** Tensor beside the operator that makes or reads it: glyph, name, layout, bytes. */
export const TensorNode = memo(function TensorNode({
  id,
  name,
  tensor,
  view,
  orientation,
  side,
}: Props & { readonly name: string; readonly side: string }) {
  const { isSelected, select, drawn, roving, wrong, sentence } = useTensorNode({
    id,
    tensor,
    view,
    orientation,
  });
  const notation = useShared(chosenNotation);
  const isState = side === "state";
  const [first, ...below] = (
    isState ? stateCard(name) : tensorCard({ name, tensor, view, notation })
  ).rows;
  return (
    <div className={`ten ${side} ${isSelected ? "sel-ring" : ""}`}>
      <button
        type="button"
        className="ten-btn"
        data-testid={`tensor-${tensor.name}`}
        aria-pressed={isSelected}
        onClick={() => select({ tensor: tensor.id })}
        {...roving}
      >
        <Spoken sentence={sentence}>
          <span
            className="glyph-slot"
            title={orientationText(orientation, drawn.layout, tensor.dimNames)}
          >
            <TensorDrawing
              tensor={drawn}
              size={isState ? glyphRooms.state : glyphRooms.tensor}
              wrong={wrong}
            />
          </span>
          <span className="ten-words">
            <span className="nm">
              {first !== undefined && <CardPieces of={first.start} isLine />}
              <FaultMark of={tensor.id} />
            </span>
            <CardPieces of={below.flatMap(({ start }) => start)} />
          </span>
        </Spoken>
      </button>
      <DimZones tensor={tensor} />
    </div>
  );
});

/** First input of the program: a round-ended card at the top. */
export const InputNode = memo(function InputNode({ id, tensor, view, orientation }: Props) {
  const { isSelected, select, drawn, roving, wrong, sentence } = useTensorNode({
    id,
    tensor,
    view,
    orientation,
  });
  const notation = useShared(chosenNotation);
  const status = useStatus(tensor.id, view.status);
  const { rows, beside } = inputCard({ tensor, view, notation, status });
  const [first, second] = rows;
  return (
    <div className="ten">
      <button
        type="button"
        className={`card round input-card ${isSelected ? "sel" : ""}`}
        data-testid={`tensor-${tensor.name}`}
        aria-pressed={isSelected}
        onClick={() => select({ tensor: tensor.id })}
        {...roving}
      >
        <Spoken sentence={sentence}>
          <TensorDrawing tensor={drawn} size={glyphRooms.input} wrong={wrong} />
          <span className="ten-words">
            <span className="nm-row" title={tensor.name}>
              {first !== undefined && <CardPieces of={first.start} isLine />}
            </span>
            {second !== undefined && <CardRowView className="lbl-row" row={second} />}
          </span>
          <FaultMark of={tensor.id} />
          <CardPieces of={beside} />
        </Spoken>
      </button>
      <DimZones tensor={tensor} />
    </div>
  );
});

const inspectedTensor = (state: AppState) => selectedTensor(state)?.id;

function useTensorNode({ id, tensor, view, orientation }: Props) {
  const isSelected = useAppEquals(inspectedTensor, tensor.id);
  const { select } = useAppStore().getState();
  const roving = useRovingNode(id);
  const unverified = view.unverified?.rule;
  const layout = shownLayout(view);
  const halos = useSelectedHalos(tensor.id, layout, view.shown);
  const drawn = useDrawnTensor({ tensor, layout, orientation, unverified, halos });
  const reads = halos === undefined ? "" : ` ${haloSentence(halos, tensor.dimNames)}`;
  const wrong = useShared(wrongDevices).get(tensor.id);
  const found = wrong === undefined ? "" : ` ${wrongSentence(wrong)}`;
  const sentence = `${tensorSentence(tensor, view)}${reads}${found}`;
  return { isSelected, select, drawn, roving, wrong, sentence };
}
