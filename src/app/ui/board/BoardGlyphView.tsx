import { useMemo } from "react";
import type { BoardGlyph } from "#app/scene/board";
import { drawnIn } from "#app/scene/glyph";
import { tensorsOf } from "#app/scene/graph";
import { type AppState, drawn } from "#app/state";
import { wrongDevices } from "#app/state/run";
import type { Compiled } from "#compile";
import type { TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import { GlyphPicture } from "../canvas/GlyphPicture.tsx";
import { useApp, useShared } from "../store-context.tsx";

interface Props {
  readonly glyph: BoardGlyph;
  readonly from: { readonly x: number; readonly y: number };
}

const litDevice = ({ hoveredDevice, pinnedDevice }: AppState) => hoveredDevice ?? pinnedDevice;

/** Glyph of a tensor on the board. */
export function BoardGlyphView({ glyph, from }: Props) {
  const { tensor: id, layout, width, height } = glyph;
  const tensor = useApp((state) => tensorIn(drawn(state), id, layout));
  const lit = useShared(litDevice);
  const wrong = useShared(wrongDevices).get(id);
  const size = useMemo(() => ({ width: width - 2, height: height - 2 }), [width, height]);
  if (tensor === undefined) return null;
  return (
    <span className="bglyph" style={{ left: glyph.x - from.x, top: glyph.y - from.y }}>
      <GlyphPicture tensor={tensor} size={size} lit={lit} wrong={wrong} />
    </span>
  );
}

function tensorIn(compiled: Compiled | undefined, id: TensorId, layout: Layout) {
  const found = compiled && tensorsOf(compiled.program.graph).get(id);
  return compiled && found && drawnIn(compiled, found, layout);
}
