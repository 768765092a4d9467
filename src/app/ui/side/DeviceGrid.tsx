import { hueOf } from "#app/scene";
import type { DeviceId, DeviceMesh, MeshAxis } from "#core/mesh";
import { Spoken } from "../atoms/Spoken.tsx";
import { useApp } from "../store-context.tsx";

/** Devices that are drawn one by one; beyond, ranges stand for them. */
const drawnOneByOne = 64;

/** The devices, nested by axes outermost first; hover or press one to follow it everywhere. */
export function DeviceGrid({ mesh }: { readonly mesh: DeviceMesh }) {
  const axes = mesh.axes.filter((axis) => axis.size > 1);
  if (mesh.devices.length > drawnOneByOne) return <DeviceRanges mesh={mesh} />;
  return (
    <>
      <div className="mesh-grid">
        <Block mesh={mesh} axes={axes} devices={mesh.devices} depth={0} />
      </div>
      <Groups mesh={mesh} />
    </>
  );
}

interface BlockProps {
  readonly mesh: DeviceMesh;
  readonly axes: readonly MeshAxis[];
  readonly devices: readonly DeviceId[];
  readonly depth: number;
}

function Block({ mesh, axes, devices, depth }: BlockProps) {
  const [axis, ...inner] = axes;
  if (axis === undefined || inner.length === 0) {
    return <Devices mesh={mesh} axis={axis} devices={devices} />;
  }
  const each = devices.length / axis.size;
  const columns = depth % 2 === 0 ? Math.min(axis.size, 2) : 1;
  return (
    <div
      className="mesh-blocks"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {Array.from({ length: axis.size }, (_, at) => at).map((at) => (
        <div key={at} className={`mesh-blk a${hueOf(mesh, axis.name)} dash-${depth + 1}`}>
          <span className="nm">
            {axis.name} {at}
          </span>
          <Block
            mesh={mesh}
            axes={inner}
            devices={devices.slice(at * each, (at + 1) * each)}
            depth={depth + 1}
          />
        </div>
      ))}
    </div>
  );
}

interface DevicesProps {
  readonly mesh: DeviceMesh;
  readonly axis: MeshAxis | undefined;
  readonly devices: readonly DeviceId[];
}

function Devices({ mesh, axis, devices }: DevicesProps) {
  const isTight = mesh.devices.length > 16;
  const columns = isTight ? Math.min(devices.length, 8) : Math.min(devices.length, columnsOf(mesh));
  return (
    <div
      className="mesh-devs"
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {devices.map((device, at) => (
        <DeviceButton
          key={device}
          mesh={mesh}
          device={device}
          axis={axis}
          coordinate={at}
          isTight={isTight}
        />
      ))}
    </div>
  );
}

/** A mesh of one axis has the whole width for its devices; nested ones share it. */
function columnsOf(mesh: DeviceMesh): number {
  return mesh.axes.filter((axis) => axis.size > 1).length > 1 ? 2 : 4;
}

interface DeviceButtonProps {
  readonly mesh: DeviceMesh;
  readonly device: DeviceId;
  readonly axis: MeshAxis | undefined;
  readonly coordinate: number;
  readonly isTight: boolean;
}

function DeviceButton({ mesh, device, axis, coordinate, isTight }: DeviceButtonProps) {
  const isPinned = useApp((state) => state.pinnedDevice === device);
  const isInGroup = useApp((state) =>
    groupOf(state.hoveredDevice ?? state.pinnedDevice, mesh, axis).includes(device),
  );
  const hover = useApp((state) => state.hoverDevice);
  const pin = useApp((state) => state.pinDevice);
  const hue = axis === undefined ? 1 : hueOf(mesh, axis.name);
  return (
    <button
      type="button"
      className={`dev a${hue} ${isPinned ? "pin" : ""} ${isInGroup ? "grp" : ""} ${isTight ? "tight" : ""}`}
      data-testid={`device-${device}`}
      aria-pressed={isPinned}
      title={coordinatesText(mesh, device)}
      onPointerEnter={() => hover(device)}
      onPointerLeave={() => hover(undefined)}
      onFocus={() => hover(device)}
      onBlur={() => hover(undefined)}
      onClick={() => pin(device)}
    >
      <Spoken sentence={`Device ${device}, ${coordinatesText(mesh, device)}`}>
        <b>{device}</b>
        {!isTight && axis !== undefined && (
          <span className="co">
            {axis.name} {coordinate}
          </span>
        )}
      </Spoken>
    </button>
  );
}

function Groups({ mesh }: { readonly mesh: DeviceMesh }) {
  const axis = mesh.axes.findLast((candidate) => candidate.size > 1);
  const armed = useApp((state) => state.armedAxis ?? state.drag?.axis);
  const named = mesh.axes.find((candidate) => candidate.name === armed) ?? axis;
  if (named === undefined) return <div className="meshft">One device holds everything.</div>;
  const groups = groupsAlong(mesh, named);
  const text = groups
    .slice(0, 8)
    .map((group) => `{${group.join(", ")}}`)
    .join(" ");
  return (
    <div className="meshft">
      <span className="nowrap">
        <b className={`tk mono a${hueOf(mesh, named.name)}`}>{named.name}</b> groups
      </span>
      <span className="mono">
        {text}
        {groups.length > 8 && ` … ${groups.length} in all`}
      </span>
    </div>
  );
}

function DeviceRanges({ mesh }: { readonly mesh: DeviceMesh }) {
  const [first, ...inner] = mesh.axes.filter((axis) => axis.size > 1);
  if (first === undefined) return null;
  const each = mesh.devices.length / first.size;
  const rows = Array.from({ length: Math.min(first.size, 16) }, (_, at) => at);
  return (
    <>
      <div className="mesh-grid">
        <table className="tbl">
          <caption className="vh">Devices by {first.name}</caption>
          <tbody>
            {rows.map((at) => (
              <tr key={at}>
                <td className={`mono tk a${hueOf(mesh, first.name)}`}>
                  {first.name} {at}
                </td>
                <td className="n mono">
                  {mesh.devices[at * each]}…{mesh.devices[(at + 1) * each - 1]}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="meshft">
        <span>
          {first.size > 16 && `${first.size - 16} more of ${first.name}. `}
          Inside each:{" "}
          {inner.map((axis) => `${axis.name} ${axis.size}`).join(" × ") || "one device"}
        </span>
      </div>
    </>
  );
}

function coordinatesText(mesh: DeviceMesh, device: DeviceId): string {
  let rest = mesh.devices.indexOf(device);
  const words = [...mesh.axes].reverse().map((axis) => {
    const digit = rest % axis.size;
    rest = Math.floor(rest / axis.size);
    return `${axis.name} ${digit}`;
  });
  return words.reverse().join(", ");
}

/** The devices that differ from one another along one axis only. */
function groupsAlong(mesh: DeviceMesh, axis: MeshAxis): readonly (readonly DeviceId[])[] {
  const at = mesh.axes.indexOf(axis);
  const stride = mesh.axes.slice(at + 1).reduce((product, each) => product * each.size, 1);
  const groups = new Map<number, DeviceId[]>();
  mesh.devices.forEach((device, index) => {
    const key = index - (Math.floor(index / stride) % axis.size) * stride;
    groups.set(key, [...(groups.get(key) ?? []), device]);
  });
  return [...groups.values()];
}

function groupOf(
  device: DeviceId | undefined,
  mesh: DeviceMesh,
  axis: MeshAxis | undefined,
): readonly DeviceId[] {
  if (device === undefined || axis === undefined) return [];
  return groupsAlong(mesh, axis).find((group) => group.includes(device)) ?? [];
}
