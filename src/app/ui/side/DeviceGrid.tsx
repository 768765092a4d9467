import { ChevronLeft, ChevronRight } from "lucide-react";
import { type FormEvent, memo, useMemo, useState } from "react";
import { type Hardware, nodeSizeOf, parseMachine } from "#core/cost";
import type { DeviceMesh } from "#core/mesh";
import { IconButton } from "../atoms/IconButton.tsx";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { AxisBars } from "./AxisBars.tsx";
import { DeviceBlocks } from "./DeviceBlocks.tsx";
import { DeviceMap } from "./DeviceMap.tsx";
import {
  countText,
  type DevicePage,
  logicalPage,
  pageLimit,
  physicalPage,
} from "./device-pages.ts";

/** Devices of a map that shows each as a cell; beyond, bars stand for the axes. */
const mappedDevices = 512;

interface Props {
  readonly mesh: DeviceMesh;
  readonly hardware: Hardware;
}

/**
 * The devices, as the axes nest them or as they stand in their nodes; hover or press one to follow
 * it everywhere. Up to 64 are drawn one by one, more by pages beside a map or bars of the axes.
 */
export const DeviceGrid = memo(function DeviceGrid({ mesh, hardware }: Props) {
  const isPhysical = useApp((state) => state.deviceOrder === "physical");
  const [wanted, show] = useState(0);
  const node = useMemo(() => nodeOf(hardware), [hardware]);
  const ids = useMemo(() => mesh.devices.toSorted((a, b) => a - b), [mesh]);
  const count = mesh.devices.length;
  const place = Math.min(wanted, count - 1);
  const page = isPhysical ? physicalPage(count, node, place) : logicalPage(mesh, place);
  const showDevice = (device: number) => {
    const at = (isPhysical ? ids : mesh.devices).indexOf(device);
    if (at >= 0) show(at);
    return at >= 0;
  };
  if (count === 1) return <p className="mesh-one mut">One device holds everything.</p>;
  return (
    <>
      {count > pageLimit &&
        (count <= mappedDevices ? (
          <DeviceMap
            mesh={mesh}
            devices={isPhysical ? ids : mesh.devices}
            node={node}
            page={page}
            onShow={show}
          />
        ) : (
          <AxisBars mesh={mesh} page={page} onShow={isPhysical ? undefined : show} />
        ))}
      {page.count > 1 && <Pager page={page} total={count} onShow={show} onDevice={showDevice} />}
      <DeviceBlocks
        mesh={mesh}
        page={page}
        devices={
          isPhysical ? ids.slice(page.from, page.to) : mesh.devices.slice(page.from, page.to)
        }
        isPhysical={isPhysical}
        node={node}
      />
      <Order node={node} isPermuted={ids.some((id, at) => id !== mesh.devices[at])} />
    </>
  );
});

/** Devices of a node, where the machine is known and has nodes. */
function nodeOf(hardware: Hardware): number | undefined {
  const machine = parseMachine(hardware.name);
  return machine.ok ? nodeSizeOf(machine.value) : undefined;
}

const orders = [
  ["logical", "Logical"],
  ["physical", "Physical"],
] as const;

function Order(props: { readonly node: number | undefined; readonly isPermuted: boolean }) {
  const order = useApp((state) => state.deviceOrder);
  const store = useAppStore();
  const { node, isPermuted } = props;
  const nodes = node === undefined ? "by id" : `nodes of ${node}`;
  return (
    <div className="mesh-order">
      <span>
        Device order
        <span className="mut">
          {order === "physical" ? `, ${nodes}` : isPermuted ? ", permuted" : ", as the axes nest"}
        </span>
      </span>
      <Segmented
        label="Device order"
        value={order}
        choices={orders}
        onChange={(next) => store.getState().orderDevices(next)}
      />
    </div>
  );
}

interface PagerProps {
  readonly page: DevicePage;
  readonly total: number;
  readonly onShow: (place: number) => void;
  readonly onDevice: (device: number) => boolean;
}

/** Which devices are drawn one by one, and the way to others. */
function Pager({ page, total, onShow, onDevice }: PagerProps) {
  const store = useAppStore();
  const [text, setText] = useState("");
  const go = (event: FormEvent) => {
    event.preventDefault();
    const device = Number(text);
    if (text.trim() === "" || !onDevice(device)) {
      store.getState().say({ kind: "refused", text: `The mesh has no device "${text}".` });
      return;
    }
    if (store.getState().pinnedDevice !== device) store.getState().pinDevice(device);
  };
  return (
    <div className="mesh-pager">
      <IconButton
        icon={ChevronLeft}
        size={14}
        name="Devices before"
        disabled={page.number === 0}
        onClick={() => onShow(page.from - 1)}
      />
      <span data-testid="mesh-page">
        {countText(page.from)}…{countText(page.to - 1)} of {countText(total)}
      </span>
      <IconButton
        icon={ChevronRight}
        size={14}
        name="Devices after"
        disabled={page.number === page.count - 1}
        onClick={() => onShow(page.to)}
      />
      <form onSubmit={go}>
        <label>
          <span>Device</span>
          <input
            className="field mono"
            inputMode="numeric"
            autoComplete="off"
            size={5}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <button type="submit" className="btn go">
          Go
        </button>
      </form>
    </div>
  );
}
