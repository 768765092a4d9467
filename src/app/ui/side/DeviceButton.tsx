import type { CSSProperties } from "react";
import { hueOf } from "#app/scene";
import { coordinatesOf, type DeviceId, type DeviceMesh } from "#core/mesh";
import { fieldOf } from "#core/records";
import { Spoken } from "../atoms/Spoken.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { coordinatesText, groupCount, groupNumber } from "./mesh-groups.ts";

interface Props {
  readonly mesh: DeviceMesh;
  readonly device: DeviceId;
  /** The axis whose coordinates and groups are shown unless another one is focused. */
  readonly axis: string | undefined;
  readonly isTight: boolean;
  /** Whether the Tab key stops at this device. */
  readonly isCurrent: boolean;
}

/** One device: hovering or focusing it highlights its parts everywhere, a press pins it. */
export function DeviceButton({ mesh, device, axis, isTight, isCurrent }: Props) {
  const store = useAppStore();
  const place = mesh.devices.indexOf(device);
  const isPinned = useApp((state) => state.pinnedDevice === device);
  const isSecond = useApp((state) => state.comparedDevice === device);
  const looked = useApp((state) => state.focusedAxis ?? state.armedAxis ?? state.drag?.axis);
  const shownAxis = looked ?? axis;
  const isAlike = useApp(({ hoveredDevice, pinnedDevice }) => {
    const other = hoveredDevice ?? pinnedDevice;
    if (other === undefined || shownAxis === undefined) return false;
    const at = mesh.devices.indexOf(other);
    return at >= 0 && groupNumber(mesh, shownAxis, at) === groupNumber(mesh, shownAxis, place);
  });
  const { hoverDevice, pinDevice } = store.getState();
  const group = shownAxis === undefined ? 0 : groupNumber(mesh, shownAxis, place);
  const isGrouped = looked !== undefined;
  const text = isGrouped ? `group ${group}` : coordinateText(mesh, place, shownAxis);
  const hue = shownAxis === undefined ? 1 : hueOf(mesh, shownAxis);
  const classes = [
    `dev a${hue}`,
    isPinned && "pin",
    isSecond && "pin second",
    isAlike && "grp",
    isGrouped && "grouped",
    isTight && "tight",
  ].filter((name) => name !== false);
  const style: CSSProperties & Record<"--g", number> = {
    "--g": shareOf(group, shownAxis === undefined ? 1 : groupCount(mesh, shownAxis)),
  };
  return (
    <button
      type="button"
      className={classes.join(" ")}
      style={isGrouped ? style : undefined}
      data-testid={`device-${device}`}
      data-group={isGrouped ? group : undefined}
      aria-pressed={isPinned || isSecond}
      tabIndex={isCurrent ? 0 : -1}
      title={`${coordinatesText(mesh, place)}. Press to pin.`}
      onPointerEnter={() => hoverDevice(device)}
      onPointerLeave={() => hoverDevice(undefined)}
      onFocus={() => hoverDevice(device)}
      onBlur={() => hoverDevice(undefined)}
      onClick={() => pinDevice(device)}
    >
      <Spoken sentence={`Device ${device}, ${coordinatesText(mesh, place)}`}>
        <b>{device}</b>
        {!isTight && shownAxis !== undefined && <span className="co">{text}</span>}
      </Spoken>
    </button>
  );
}

function coordinateText(mesh: DeviceMesh, place: number, axis: string | undefined): string {
  return axis === undefined ? "" : `${axis} ${fieldOf(coordinatesOf(mesh, place), axis) ?? 0}`;
}

/** The position of a group among all, in percent, as its lightness. */
function shareOf(group: number, count: number): number {
  return count <= 1 ? 0 : Math.round((100 * group) / (count - 1));
}
