import { lazy, memo, Suspense, useMemo, useState } from "react";
import type { Hardware } from "#core/cost";
import type { DeviceMesh } from "#core/mesh";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { DeviceBlocks } from "./DeviceBlocks.tsx";
import { logicalPage, pageLimit, physicalPage } from "./device-pages.ts";

/** Loaded separately, since meshes of few devices have no pages. */
const DevicePages = lazy(async () => ({
  default: (await import("./DevicePages.tsx")).DevicePages,
}));

interface Props {
  readonly mesh: DeviceMesh;
  readonly hardware: Hardware;
}

/**
 * The devices, nested by axes or grouped by nodes; a hovered or pinned one is highlighted
 * everywhere. Up to 64 are drawn one by one, more by pages beside a map or bars of the axes.
 */
export const DeviceGrid = memo(function DeviceGrid({ mesh, hardware }: Props) {
  const isPhysical = useApp((state) => state.deviceOrder === "physical");
  const [wanted, show] = useState(0);
  const { node } = hardware;
  const ids = useMemo(() => mesh.devices.toSorted((a, b) => a - b), [mesh]);
  const count = mesh.devices.length;
  const place = Math.min(wanted, count - 1);
  const page = isPhysical ? physicalPage(count, node, place) : logicalPage(mesh, place);
  if (count === 1) return <p className="mesh-one mut">One device holds everything.</p>;
  return (
    <>
      {(count > pageLimit || page.count > 1) && (
        <Suspense>
          <DevicePages
            mesh={mesh}
            devices={isPhysical ? ids : mesh.devices}
            isPhysical={isPhysical}
            node={node}
            page={page}
            onShow={show}
          />
        </Suspense>
      )}
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
