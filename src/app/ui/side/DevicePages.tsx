import { ChevronLeft, ChevronRight } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { DeviceMesh } from "#core/mesh";
import { IconButton } from "../atoms/IconButton.tsx";
import { useAppStore } from "../store-context.tsx";
import { AxisBars } from "./AxisBars.tsx";
import { DeviceMap } from "./DeviceMap.tsx";
import { countText, type DevicePage, pageLimit } from "./device-pages.ts";

/** The most devices of a map; beyond that, bars stand for the axes. */
const mappedDevices = 512;

interface Props {
  readonly mesh: DeviceMesh;
  /** In the order in which they are drawn. */
  readonly devices: readonly number[];
  readonly isPhysical: boolean;
  readonly node: number | undefined;
  readonly page: DevicePage;
  readonly onShow: (place: number) => void;
}

/** The pages of many devices: a map or bars of the axes, and buttons that turn the page. */
export function DevicePages({ mesh, devices, isPhysical, node, page, onShow }: Props) {
  const count = devices.length;
  const showDevice = (device: number) => {
    const at = devices.indexOf(device);
    if (at >= 0) onShow(at);
    return at >= 0;
  };
  return (
    <>
      {count > pageLimit &&
        (count <= mappedDevices ? (
          <DeviceMap mesh={mesh} devices={devices} node={node} page={page} onShow={onShow} />
        ) : (
          <AxisBars mesh={mesh} page={page} onShow={isPhysical ? undefined : onShow} />
        ))}
      {page.count > 1 && <Pager page={page} total={count} onShow={onShow} onDevice={showDevice} />}
    </>
  );
}

interface PagerProps {
  readonly page: DevicePage;
  readonly total: number;
  readonly onShow: (place: number) => void;
  readonly onDevice: (device: number) => boolean;
}

/** The range of devices that are drawn one by one, and buttons to the others. */
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
