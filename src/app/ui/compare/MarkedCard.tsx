import { type ReactNode, useContext, useMemo } from "react";
import { type CardParts, cardDifference, type TensorBefore } from "#app/scene/difference";
import { drawnIn } from "#app/scene/glyph";
import type { CanvasNode } from "#app/scene/graph";
import { SpokenBehind } from "../atoms/Spoken.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { useApp } from "../store-context.tsx";
import { DifferenceContext } from "./difference-context.ts";
import { GoneSends } from "./GoneSends.tsx";

interface Props {
  readonly box: CanvasNode;
  readonly children: ReactNode;
}

/** Card of the graph with its differences from the baseline. */
export function MarkedCard({ box, children }: Props) {
  const difference = useContext(DifferenceContext);
  const found = useMemo(
    () => difference && cardDifference(difference, partsOf(box)),
    [difference, box],
  );
  if (found === undefined) return children;
  const { sign, change, text, before, gone, goneChange } = found;
  return (
    <>
      <SpokenBehind.Provider value={text}>{children}</SpokenBehind.Provider>
      {sign !== undefined && (
        <span className="dmark" aria-hidden="true" data-testid={`differs-${box.id}`} title={text}>
          {change?.startsWith(sign) ? "" : sign}
          {change !== undefined && <b>{change}</b>}
        </span>
      )}
      <span className="dbelow" aria-hidden="true">
        {before !== undefined && isDrawn(box) && <GlyphBefore before={before} />}
        {gone.length > 0 && (
          <span className="dgone" data-testid={`gone-${box.id}`} title={text}>
            <GoneSends gone={gone} words={goneChange} />
          </span>
        )}
      </span>
    </>
  );
}

/** Whether a card shows a tensor as a glyph. */
const isDrawn = ({ kind }: CanvasNode) => kind === "tensor" || kind === "input";

const beforeSize = { width: 28, height: 18 };

/** Layout of a tensor in the baseline, as a small glyph below the present one. */
function GlyphBefore({ before: { tensor, layout } }: { readonly before: TensorBefore }) {
  const baseline = useApp((state) => state.baseline?.compiled);
  const drawn = useMemo(
    () => baseline && drawnIn(baseline, tensor, layout),
    [baseline, tensor, layout],
  );
  if (drawn === undefined) return null;
  return (
    <span className="dbefore">
      <Glyph tensor={drawn} size={beforeSize} />
      <i>→ now</i>
    </span>
  );
}

function partsOf(box: CanvasNode): CardParts {
  switch (box.kind) {
    case "operator":
      return { operators: [box.operator] };
    case "redistribution":
      return { redistributions: [box.redistribution] };
    case "input":
    case "tensor":
      return { tensors: [box.tensor], leaves: [box.tensor] };
    case "stack": {
      const { runs } = box.stack;
      const tensors = runs.flatMap((run) => run.tensors);
      return {
        ...{ tensors, leaves: tensors, operators: runs.flatMap((run) => run.operators) },
        redistributions: runs.flatMap((run) => run.redistributions),
      };
    }
    default:
      return {};
  }
}
