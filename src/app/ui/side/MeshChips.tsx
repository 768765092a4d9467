import { Plus } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import type { DeviceMesh } from "#core/mesh";
import { freeAxisName } from "#edit";
import { Icon } from "../atoms/Icon.tsx";
import { useAppStore } from "../store-context.tsx";
import { MeshAxisChip } from "./MeshAxisChip.tsx";

interface Props {
  readonly mesh: DeviceMesh;
  /** The axis whose chip was last pressed or focused. */
  readonly onChosen: (axis: string) => void;
}

/** The axes, outermost first, and a button that adds one. */
export const MeshChips = memo(function MeshChips({ mesh, onChosen }: Props) {
  const store = useAppStore();
  const box = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | undefined>(undefined);
  const names = mesh.axes.map(({ name }) => name);
  const order = names.join();
  useEffect(() => {
    const axis = wanted.current;
    if (axis === undefined || !order.split(",").includes(axis)) return;
    wanted.current = undefined;
    const chip = box.current?.querySelector(`[data-mesh-axis="${CSS.escape(axis)}"] .mchip-grip`);
    if (chip instanceof HTMLElement) chip.focus();
  }, [order]);
  const focusLater = (axis: string) => {
    wanted.current = axis;
  };
  const add = async () => {
    const axis = freeAxisName(names);
    focusLater(axis);
    onChosen(axis);
    await store.getState().gesture({ kind: "add-axis", axis, size: 2 });
  };
  return (
    <div className="axes" ref={box}>
      {mesh.axes.map((axis, index) => (
        <MeshAxisChip
          key={axis.name}
          mesh={mesh}
          axis={axis}
          index={index}
          onChosen={onChosen}
          onMoved={focusLater}
        />
      ))}
      <button
        type="button"
        className="mchip-add"
        data-testid="mesh-add"
        aria-label={mesh.axes.length === 0 ? undefined : "Add an axis"}
        title="Add an axis of 2"
        onClick={() => void add()}
      >
        <Icon icon={Plus} size={14} />
        {mesh.axes.length === 0 && <span>Add an axis to split over devices</span>}
      </button>
    </div>
  );
});
