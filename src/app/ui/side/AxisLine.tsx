import { ArrowLeft, ArrowRight, type LucideIcon, Pencil, Pin, PinOff, Trash2 } from "lucide-react";
import { useState } from "react";
import { hueOf } from "#app/scene";
import { Icon } from "../atoms/Icon.tsx";
import { reordered } from "../gesture/drop.ts";
import { useActions, useApp, useAppStore } from "../store-context.tsx";
import { useIsAxisPinned } from "../use-status.ts";
import { linkText } from "./link-text.ts";
import { groupCount, groupTexts } from "./mesh-groups.ts";
import { RenameFields } from "./RenameFields.tsx";
import type { Machined } from "./use-machined.ts";

interface Props {
  readonly compiled: Machined;
  readonly axis: string;
  readonly onRenamed: (axis: string) => void;
}

/** The most groups whose devices are listed. */
const listedGroups = 4;
const lettersOfGroups = 34;

/** The axis in hand: its groups, its link, and the actions that need no drag. */
export function AxisLine({ compiled, axis, onRenamed }: Props) {
  const [renaming, setRenaming] = useState<string>();
  const { mesh } = compiled.mesh;
  const shownAxis = useApp((state) => state.focusedAxis ?? state.drag?.axis) ?? axis;
  const named = mesh.axes.find(({ name }) => name === shownAxis) ?? mesh.axes[0];
  if (named === undefined) return null;
  const link = named.link ?? compiled.hardware.link;
  const texts = groupTexts(mesh, named.name, listedGroups);
  const groups = texts.filter(
    (_, at) => texts.slice(0, at + 1).join(" ").length <= lettersOfGroups,
  );
  const more = groupCount(mesh, named.name) - groups.length;
  return (
    <div className="meshft">
      <p className="axis-groups">
        <span className="nowrap">
          <b className={`tk mono a${hueOf(mesh, named.name)}`}>{named.name}</b> groups
        </span>
        <span className="mono" data-testid="axis-groups">
          {groups.join(" ")}
          {more > 0 && ` and ${more} more`}
        </span>
      </p>
      <p className="axis-link">
        <span data-testid="axis-link">{linkText(link)}</span>
        <span className="tag">model</span>
      </p>
      {renaming === axis ? (
        <Rename
          axis={axis}
          onDone={(name) => {
            setRenaming(undefined);
            if (name !== undefined) onRenamed(name);
          }}
        />
      ) : (
        <Tools compiled={compiled} axis={axis} onRename={() => setRenaming(axis)} />
      )}
    </div>
  );
}

interface ToolsProps {
  readonly compiled: Machined;
  readonly axis: string;
  readonly onRename: () => void;
}

function Tools({ compiled, axis, onRename }: ToolsProps) {
  const store = useAppStore();
  const { mesh } = compiled.mesh;
  const isPinned = useIsAxisPinned(axis);
  const names = mesh.axes.map(({ name }) => name);
  const at = names.indexOf(axis);
  const move = (place: number) =>
    void store.getState().gesture({ kind: "order-axes", axes: reordered(names, axis, place) });
  return (
    <div className="axis-tools" role="toolbar" aria-label={`Axis ${axis}`}>
      <b className={`tk mono a${hueOf(mesh, axis)}`}>{axis}</b>
      <Tool name={`Rename ${axis}`} word="Rename" icon={Pencil} onPress={onRename} />
      <Tool
        name={`Outer: move ${axis} outward`}
        word="Outer"
        icon={ArrowLeft}
        isOff={at <= 0}
        onPress={() => move(at - 1)}
      />
      <Tool
        name={`Inner: move ${axis} inward`}
        word="Inner"
        icon={ArrowRight}
        isOff={at >= names.length - 1}
        onPress={() => move(at + 1)}
      />
      <Tool
        name={isPinned ? `Unpin ${axis}` : `Pin ${axis}: the planner leaves its length as it is`}
        word={isPinned ? "Unpin" : "Pin"}
        icon={isPinned ? PinOff : Pin}
        onPress={() =>
          void store.getState().gesture({ kind: "pin", name: axis, isPinned: !isPinned })
        }
      />
      <Tool
        name={`Remove ${axis}`}
        word="Remove"
        icon={Trash2}
        onPress={() => void store.getState().gesture({ kind: "remove-axis", axis })}
      />
    </div>
  );
}

function Tool(props: {
  readonly name: string;
  readonly word: string;
  readonly icon: LucideIcon;
  readonly isOff?: boolean;
  readonly onPress: () => void;
}) {
  return (
    <button
      type="button"
      className="btn"
      aria-label={props.name}
      title={props.name}
      disabled={props.isOff === true}
      onClick={props.onPress}
    >
      <span className="tool-ico" aria-hidden="true">
        <Icon icon={props.icon} size={13} />
      </span>
      {props.word}
    </button>
  );
}

function Rename(props: {
  readonly axis: string;
  /** Called with the new name, or without one if nothing was renamed. */
  readonly onDone: (name?: string) => void;
}) {
  const { axis, onDone } = props;
  const { renameAxis } = useActions();
  return (
    <RenameFields
      name={axis}
      label={<span className="vh">New name of axis {axis}</span>}
      faultId="axis-fault"
      rename={async (wanted) => (wanted === axis ? undefined : renameAxis(axis, wanted))}
      onDone={onDone}
      className="axis-tools"
      fieldClass="field mono"
    />
  );
}
