import { ChevronDown } from "lucide-react";
import {
  memo,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { rowsOf } from "#app/scene";
import { type Halos, readsText } from "#app/scene/glyph";
import type { TensorView } from "#compile";
import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";
import { Icon } from "../atoms/Icon.tsx";
import { TableHead } from "../atoms/TableHead.tsx";
import { useApp, useWaiting } from "../store-context.tsx";
import { devicesOfTable, mostDrawnRows } from "../table-limits.ts";
import { namedDims } from "./named-dims.ts";

interface Props {
  readonly tensor: Tensor;
  readonly layout: Layout;
  /** The devices' boxes, where they are not the layout's blocks. */
  readonly held: TensorView["held"];
  readonly unverified: string | undefined;
  /** The windows that an operation reads, in a column of their own. */
  readonly halos: Halos | undefined;
}

/**
 * Up to so many devices, the rows are written together with the drawings; more rows, or rows out of
 * sight, come a moment later.
 */
const mostAtOnce = 64;

/** The part of the tensor on every device, as a table. */
export const DeviceTable = memo(function DeviceTable(props: Props) {
  const box = useRef<HTMLDivElement>(null);
  const isUnseen = useIsUnseen(box);
  const late = useDeferredValue(props);
  const isLate = isUnseen || props.layout.mesh.devices.length > mostAtOnce;
  useWaiting(isLate && late !== props);
  return <Rows {...(isLate ? late : props)} box={box} />;
});

/** Whether a box is out of sight; false until that is known. */
function useIsUnseen(box: RefObject<HTMLElement | null>): boolean {
  const [isUnseen, setUnseen] = useState(false);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const hear = (seen: readonly IntersectionObserverEntry[]) =>
      setUnseen(seen.at(-1)?.isIntersecting === false);
    const observer = new IntersectionObserver(hear);
    observer.observe(current);
    return () => observer.disconnect();
  }, [box]);
  return isUnseen;
}

interface RowsProps extends Props {
  readonly box: RefObject<HTMLDivElement | null>;
}

const Rows = memo(function Rows({ tensor, layout, held, unverified, halos, box }: RowsProps) {
  const most = mostDrawnRows(tensor.shape.length);
  const devices = useMemo(() => devicesOfTable(layout.mesh, most, undefined), [layout, most]);
  const rows = useMemo(
    () => rowsOf({ layout, held }, tensor, unverified, devices),
    [layout, held, tensor, unverified, devices],
  );
  const more = layout.mesh.devices.length - devices.length;
  const dims = namedDims(tensor);
  const lit = useApp((state) => state.hoveredDevice ?? state.pinnedDevice);
  const compared = useApp((state) => state.comparedDevice);
  const hover = useApp((state) => state.hoverDevice);
  return (
    <details className="tw" open>
      <summary>
        <Icon icon={ChevronDown} size={13} />
        Every device, the table behind both drawings
      </summary>
      <div className="scroll" ref={box}>
        <table className="tbl dt">
          <caption className="vh">{tensor.name} on every device</caption>
          <TableHead
            names={[
              "device",
              ...dims.map(({ name }) => name),
              ...(halos === undefined ? [] : [`${halos.reader} reads`]),
              "state",
            ]}
          />
          <tbody>
            {rows.slice(0, most).map((row) => (
              <tr
                key={`${row.device}.${row.piece}`}
                className={row.device === lit || row.device === compared ? "on" : ""}
                onPointerEnter={() => hover(row.device)}
                onPointerLeave={() => hover(undefined)}
              >
                <td>{row.device}</td>
                {dims.map(({ dim }) => (
                  <td key={dim}>{row.ranges[dim]?.text}</td>
                ))}
                {halos !== undefined && <td>{readsText(halos, row.device)}</td>}
                <td>{row.state}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p className="mut">{more} more devices.</p>}
      {rows.length > most && <p className="mut">{rows.length - most} more rows of these.</p>}
    </details>
  );
});
