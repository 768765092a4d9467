import { useMemo } from "react";
import { rowsOf } from "#app/scene";
import { formatBytes } from "#app/scene/text";
import { selectedTensor, shown, tensorView } from "#app/state";
import { shownState } from "#compile";
import { bytesOf } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { Word } from "../glossary/Word.tsx";
import { useApp } from "../store-context.tsx";
import { coordinatesText } from "./mesh-groups.ts";
import { namedDims } from "./named-dims.ts";
import { intersectionOf } from "./shared-part.ts";

/**
 * The coordinates of the pinned device; with a second pin, the part of the shown tensor that both
 * hold.
 */
export function PinsLine({ mesh }: { readonly mesh: DeviceMesh }) {
  const first = useApp((state) => state.pinnedDevice);
  const second = useApp((state) => state.comparedDevice);
  if (first === undefined) return null;
  const place = mesh.devices.indexOf(first);
  return (
    <p className="pins" data-testid="pins" aria-live="polite">
      {second === undefined ? (
        <>
          Device {first}, <Word term="pinned">pinned</Word>: {coordinatesText(mesh, place)}. Pin
          another to see what both hold.
        </>
      ) : (
        <Shared devices={[first, second]} />
      )}
    </p>
  );
}

interface SharedProps {
  readonly devices: readonly [number, number];
}

function Shared({ devices: [first, second] }: SharedProps) {
  const tensor = useApp(selectedTensor);
  const view = useApp((state) => {
    const compiled = shown(state);
    return compiled && tensor && tensorView(compiled, tensor.id);
  });
  const shared = useMemo(() => {
    if (tensor === undefined || view === undefined) return undefined;
    const boxesOf = (device: number) =>
      rowsOf(shownState(view), tensor, undefined, [device]).map(({ ranges }) => ranges);
    return intersectionOf(boxesOf(first), boxesOf(second));
  }, [tensor, view, first, second]);
  if (tensor === undefined || shared === undefined) return null;
  const parts = shared.boxes.map((box) =>
    namedDims(tensor)
      .map(({ dim, name }) => `${name} ${rangeText(box[dim])}`)
      .join(", "),
  );
  const name = <b className="mono">{tensor.name}</b>;
  if (parts.length === 0) {
    return (
      <>
        Devices {first} and {second} hold no cell of {name} in common.
      </>
    );
  }
  const bytes = formatBytes(shared.cells * bytesOf(tensor.dtype));
  return (
    <>
      Devices {first} and {second} both hold {parts.slice(0, 2).join(" and ") || "all"} of {name},{" "}
      {bytes}
      {parts.length > 2 && ` in ${parts.length} parts`}.
    </>
  );
}

function rangeText(range: { readonly start: number; readonly stop: number } | undefined): string {
  if (range === undefined) return "";
  return range.stop - range.start === 1 ? `${range.start}` : `${range.start}…${range.stop - 1}`;
}
