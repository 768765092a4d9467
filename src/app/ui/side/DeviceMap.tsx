import { type MouseEvent, useMemo, useRef, useState } from "react";
import { hueOf } from "#app/scene";
import type { DeviceId, DeviceMesh } from "#core/mesh";
import { useApp, useAppStore } from "../store-context.tsx";
import type { DevicePage } from "./device-pages.ts";
import { coordinatesText, groupNumber } from "./mesh-groups.ts";

interface Props {
  readonly mesh: DeviceMesh;
  /** In the order in which they are drawn. */
  readonly devices: readonly DeviceId[];
  readonly node: number | undefined;
  readonly page: DevicePage;
  readonly onShow: (place: number) => void;
}

const columns = 32;
const cell = 10;

/**
 * Every device as a cell, with nodes outlined in ink; a lens names the device under the pointer.
 */
export function DeviceMap({ mesh, devices, node, page, onShow }: Props) {
  const store = useAppStore();
  const drawing = useRef<SVGSVGElement>(null);
  const [lens, setLens] = useState<number>();
  const rows = Math.ceil(devices.length / columns);
  const [width, height] = [columns * cell, rows * cell];
  const placeAt = (event: MouseEvent): number | undefined => {
    const box = drawing.current?.getBoundingClientRect();
    if (box === undefined) return undefined;
    const column = Math.floor(((event.clientX - box.left) / box.width) * columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    const place = row * columns + column;
    return column >= 0 && column < columns && place < devices.length ? place : undefined;
  };
  const look = (place: number | undefined) => {
    setLens(place);
    store.getState().hoverDevice(place === undefined ? undefined : devices[place]);
  };
  const onClick = (event: MouseEvent) => {
    const place = placeAt(event);
    const device = place === undefined ? undefined : devices[place];
    if (place === undefined || device === undefined) return;
    onShow(place);
    store.getState().pinDevice(device);
  };
  const lines = useMemo(() => linesOf(devices, node, rows), [devices, node, rows]);
  return (
    <div className="mesh-map">
      <svg
        ref={drawing}
        viewBox={`-1 -1 ${width + 2} ${height + 2}`}
        aria-hidden="true"
        onPointerMove={(event) => look(placeAt(event))}
        onPointerLeave={() => look(undefined)}
        onClick={onClick}
      >
        <Cells mesh={mesh} devices={devices} />
        <path className="map-cells" d={lines.cells} />
        <path className="map-nodes" d={lines.nodes} />
        <path className="map-page" d={rowsPath(page)} />
      </svg>
      {lens !== undefined && <Lens mesh={mesh} devices={devices} place={lens} rows={rows} />}
    </div>
  );
}

/** The coloured cells: the groups of the axis in hand, the groups of a device, the pins. */
function Cells({ mesh, devices }: Pick<Props, "mesh" | "devices">) {
  const looked = useApp((state) => state.focusedAxis ?? state.armedAxis ?? state.drag?.axis);
  const hovered = useApp((state) => state.hoveredDevice ?? state.pinnedDevice);
  const pinned = useApp((state) => state.pinnedDevice);
  const second = useApp((state) => state.comparedDevice);
  const axis = looked ?? mesh.axes.findLast(({ size }) => size > 1)?.name;
  const filled = useMemo(() => {
    if (axis === undefined) return "";
    const indexOfDevice = new Map(mesh.devices.map((device, index) => [device, index]));
    const of = (device: DeviceId) => groupNumber(mesh, axis, indexOfDevice.get(device) ?? 0);
    const wanted = hovered === undefined ? undefined : of(hovered);
    return devices
      .map((device, at) => {
        const number = of(device);
        const isOn =
          wanted === undefined ? looked !== undefined && number % 2 === 0 : number === wanted;
        return isOn ? cellPath(at) : "";
      })
      .join("");
  }, [mesh, devices, axis, hovered, looked]);
  const pins = [pinned, second].flatMap((device) => {
    const at = device === undefined ? -1 : devices.indexOf(device);
    return at < 0 ? [] : [at];
  });
  return (
    <g className={axis === undefined ? "" : `a${hueOf(mesh, axis)}`}>
      <path className="map-group" d={filled} />
      {pins.map((at) => (
        <path key={at} className="map-pin" d={cellPath(at)} />
      ))}
    </g>
  );
}

/** A lens: the cells around the pointer at three times their size. */
function Lens(props: {
  readonly mesh: DeviceMesh;
  readonly devices: readonly DeviceId[];
  readonly place: number;
  readonly rows: number;
}) {
  const { mesh, devices, place, rows } = props;
  const [row, column] = [Math.floor(place / columns), place % columns];
  const near = [-1, 0, 1].flatMap((down) =>
    [-1, 0, 1].map((across) => {
      const isInside = column + across >= 0 && column + across < columns;
      return { key: `${down}.${across}`, at: isInside ? place + down * columns + across : -1 };
    }),
  );
  const device = devices[place];
  const isRight = column < columns / 2;
  return (
    <div
      className="map-lens"
      style={{
        [isRight ? "left" : "right"]:
          `${((isRight ? column + 2 : columns - column + 1) / columns) * 100}%`,
        top: `${(row / rows) * 100}%`,
      }}
    >
      <div className="map-lens-cells">
        {near.map(({ key, at }) => (
          <span key={key} className={at === place ? "on" : ""}>
            {devices[at]}
          </span>
        ))}
      </div>
      <p>
        Device {device}: {coordinatesText(mesh, mesh.devices.indexOf(device ?? 0))}
      </p>
    </div>
  );
}

function cellPath(at: number): string {
  return `M${(at % columns) * cell} ${Math.floor(at / columns) * cell}h${cell}v${cell}h${-cell}Z`;
}

/** The outline of the devices of the page below: whole rows, or a part of one. */
function rowsPath({ from, to }: DevicePage): string {
  const paths: string[] = [];
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / columns) + 1) * columns);
    const width = (end - at) * cell;
    paths.push(
      `M${(at % columns) * cell} ${Math.floor(at / columns) * cell}h${width}v${cell}h${-width}Z`,
    );
    at = end;
  }
  return paths.join("");
}

/** Lines between devices, and stronger ones between devices of different nodes. */
function linesOf(devices: readonly DeviceId[], node: number | undefined, rows: number) {
  const cells: string[] = [];
  const nodes: string[] = [];
  const nodeAt = (at: number) => Math.floor((devices[at] ?? -1) / (node ?? devices.length));
  for (let at = 0; at < devices.length; at += 1) {
    const [x, y] = [(at % columns) * cell, Math.floor(at / columns) * cell];
    const right = `M${x + cell} ${y}v${cell}`;
    const below = `M${x} ${y + cell}h${cell}`;
    const isRowEnd = at % columns === columns - 1;
    (isRowEnd || nodeAt(at) !== nodeAt(at + 1) ? nodes : cells).push(right);
    const under = at + columns;
    (under >= devices.length || nodeAt(at) !== nodeAt(under) ? nodes : cells).push(below);
  }
  const width = Math.min(columns, devices.length) * cell;
  nodes.push(`M0 0h${width}M0 0v${rows * cell}`);
  return { cells: cells.join(""), nodes: nodes.join("") };
}
