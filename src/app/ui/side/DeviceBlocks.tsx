import type { KeyboardEvent } from "react";
import { hueOf } from "#app/scene";
import type { DeviceId, DeviceMesh } from "#core/mesh";
import { useApp } from "../store-context.tsx";
import { DeviceButton } from "./DeviceButton.tsx";
import { type DevicePage, type PageLevel, pageLevels } from "./device-pages.ts";
import { innermostAxis } from "./mesh-groups.ts";

/** The most devices of a row that a panel shows legibly. */
const widestRow = 8;

interface Props {
  readonly mesh: DeviceMesh;
  readonly page: DevicePage;
  /** The devices of the page, in the order in which they are drawn. */
  readonly devices: readonly DeviceId[];
  readonly isPhysical: boolean;
  readonly node: number | undefined;
}

/** The devices of a page: nested by axes, outermost first, or in the nodes in which they stand. */
export function DeviceBlocks({ mesh, page, devices, isPhysical, node }: Props) {
  const pinned = useApp((state) => state.pinnedDevice);
  const current = devices.find((device) => device === pinned) ?? devices[0];
  const shared = { mesh, current, isTight: devices.length > 16 };
  return (
    <fieldset className="mesh-grid" onKeyDown={moveFocus}>
      <legend className="vh">Devices</legend>
      {isPhysical ? (
        <Nodes {...shared} devices={devices} node={node} />
      ) : (
        <Block {...shared} devices={devices} levels={pageLevels(mesh, page)} depth={0} share={1} />
      )}
    </fieldset>
  );
}

interface SharedProps {
  readonly mesh: DeviceMesh;
  readonly devices: readonly DeviceId[];
  /** The device at which the Tab key stops. */
  readonly current: DeviceId | undefined;
  readonly isTight: boolean;
}

interface BlockProps extends SharedProps {
  readonly levels: readonly PageLevel[];
  readonly depth: number;
  /** The number of blocks that fit side by side in the panel. */
  readonly share: number;
}

function Block({ levels, depth, share, ...shared }: BlockProps) {
  const { mesh, devices } = shared;
  const [level, ...inner] = levels;
  if (level === undefined || inner.length === 0) {
    return <Devices {...shared} axis={level?.axis ?? innermostAxis(mesh)} share={share} />;
  }
  const each = devices.length / level.count;
  const rows = inner.length === 1 && shared.isTight && each <= widestRow;
  if (rows) return <Rows {...shared} level={level} axis={inner[0]?.axis} depth={depth} />;
  const columns = depth % 2 === 0 ? Math.min(level.count, 2) : 1;
  return (
    <div
      className="mesh-blocks"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {Array.from({ length: level.count }, (_, at) => at).map((at) => (
        <div key={at} className={`mesh-blk a${hueOf(mesh, level.axis)} dash-${depth + 1}`}>
          <span className="nm">
            {level.axis} {level.from + at}
          </span>
          <Block
            {...shared}
            levels={inner}
            devices={devices.slice(at * each, (at + 1) * each)}
            depth={depth + 1}
            share={share * columns}
          />
        </div>
      ))}
    </div>
  );
}

interface RowsProps extends SharedProps {
  readonly level: PageLevel;
  readonly axis: string | undefined;
  readonly depth: number;
}

/** One row of devices for every coordinate of an axis: many groups in little height. */
function Rows({ level, axis, depth, ...shared }: RowsProps) {
  const { mesh, devices, current } = shared;
  const each = devices.length / level.count;
  return (
    <div className={`mesh-rows a${hueOf(mesh, level.axis)}`}>
      {Array.from({ length: level.count }, (_, at) => at).map((at) => (
        <div key={at} className="mesh-row">
          <span className="nm">
            {level.axis} {level.from + at}
          </span>
          <div className={`mesh-row-devs dash-${depth + 1}`}>
            {devices.slice(at * each, (at + 1) * each).map((device) => (
              <DeviceButton
                key={device}
                mesh={mesh}
                device={device}
                axis={axis}
                isTight
                isCurrent={device === current}
              />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

/** The devices in the order of their ids, each node in an ink outline. */
function Nodes({ node, ...shared }: SharedProps & { readonly node: number | undefined }) {
  const { mesh, devices } = shared;
  const axis = innermostAxis(mesh);
  if (node === undefined) return <Devices {...shared} axis={axis} share={1} />;
  const numbers = [...new Set(devices.map((device) => Math.floor(device / node)))];
  return (
    <div className="mesh-blocks">
      {numbers.map((number) => (
        <div key={number} className="mesh-blk node">
          <span className="nm">node {number}</span>
          <Devices
            {...shared}
            devices={devices.filter((device) => Math.floor(device / node) === number)}
            axis={axis}
            share={1}
          />
        </div>
      ))}
    </div>
  );
}

interface DevicesProps extends SharedProps {
  readonly axis: string | undefined;
  readonly share: number;
}

function Devices({ mesh, devices, current, isTight, axis, share }: DevicesProps) {
  const columns = Math.min(devices.length, Math.max(1, Math.floor((isTight ? 8 : 4) / share)));
  return (
    <div
      className="mesh-devs"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {devices.map((device) => (
        <DeviceButton
          key={device}
          mesh={mesh}
          device={device}
          axis={axis}
          isTight={isTight}
          isCurrent={device === current}
        />
      ))}
    </div>
  );
}

/** Arrows move to the device beside, above or below; Home and End to the first and last. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(".dev")];
  const here = document.activeElement;
  if (!(here instanceof HTMLElement) || !buttons.includes(here)) return;
  const next = nextOf(event.key, buttons, buttons.indexOf(here), here);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function nextOf(
  key: string,
  buttons: readonly HTMLElement[],
  at: number,
  here: HTMLElement,
): HTMLElement | undefined {
  switch (key) {
    case "ArrowRight":
      return buttons[at + 1];
    case "ArrowLeft":
      return buttons[at - 1];
    case "Home":
      return buttons[0];
    case "End":
      return buttons.at(-1);
    case "ArrowDown":
    case "ArrowUp":
      return nearest(buttons, here, key === "ArrowDown" ? 1 : -1);
    default:
      return undefined;
  }
}

/** The closest button below (`1`) or above (`-1`). */
function nearest(
  buttons: readonly HTMLElement[],
  here: HTMLElement,
  direction: 1 | -1,
): HTMLElement | undefined {
  const from = here.getBoundingClientRect();
  const away = buttons
    .map((button) => {
      const to = button.getBoundingClientRect();
      const down = (to.top - from.top) * direction;
      return { button, down, aside: Math.abs(to.left - from.left) };
    })
    .filter(({ down }) => down > from.height / 2)
    .sort((a, b) => a.down - b.down || a.aside - b.aside);
  const row = away.filter(({ down }) => down - (away[0]?.down ?? 0) < from.height / 2);
  return row.sort((a, b) => a.aside - b.aside)[0]?.button;
}
