import { Ban, Check, ChevronDown, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useState } from "react";
import type { Preview } from "#app/engine";
import { hueOf } from "#app/scene";
import { shown } from "#app/state";
import type { Compiled } from "#compile";
import type { Tensor } from "#core/ir";
import { type Layout, localShape } from "#core/mesh";
import type { DimGesture } from "#edit";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { Icon } from "../atoms/Icon.tsx";
import { Popover } from "../atoms/Popover.tsx";
import { deltaLines } from "../gesture/delta.ts";
import { axesOn } from "../gesture/layout-after.ts";
import { previewOf } from "../gesture/same-gesture.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { useTogether } from "./use-together.ts";

interface Props {
  readonly tensor: Tensor;
  readonly layout: Layout;
  readonly dim: number;
}

/** The choices of a dim: each mesh axis and whole, each with what it would change. */
export function DimMenu({ tensor, layout, dim }: Props) {
  const choose = useApp((state) => state.choose);
  return (
    <Popover
      className="dim-menu"
      label={`Split ${tensor.name}.${tensor.dimNames[dim] ?? dim}`}
      onClose={() => choose(undefined)}
    >
      <DimChoices tensor={tensor} layout={layout} dim={dim} />
    </Popover>
  );
}

/** The list of choices, in the menu and in the sheet of small screens. */
export function DimChoices({ tensor, layout, dim }: Props) {
  const store = useAppStore();
  const [isWide, setWide] = useState(false);
  const together = useTogether(tensor.id);
  const choices = useMemo(() => choicesOf(tensor, layout, dim), [tensor, layout, dim]);
  const pairs = useMemo(() => pairsOf(tensor, layout, dim), [tensor, layout, dim]);
  useEffect(() => {
    const asked = isWide ? [...choices, ...pairs] : choices;
    void store.getState().preview(asked.map(({ gesture }) => gesture));
  }, [store, choices, pairs, isWide]);
  return (
    <fieldset className="picks" onKeyDown={moveFocus}>
      <legend className="vh">Choices</legend>
      {together !== undefined && (
        <p className="mut picks-scope">
          ×{together}: changes all {together} equal blocks
        </p>
      )}
      <Picks choices={choices} layout={layout} />
      {pairs.length > 0 && (
        <button
          type="button"
          className="pick pick-more"
          aria-expanded={isWide}
          onClick={() => setWide(!isWide)}
        >
          <Icon icon={ChevronDown} size={14} />
          <span>Two axes together, outer first</span>
        </button>
      )}
      {isWide && <Picks choices={pairs} layout={layout} />}
    </fieldset>
  );
}

function Picks(props: { readonly choices: readonly Choice[]; readonly layout: Layout }) {
  const store = useAppStore();
  const compiled = useApp(shown);
  const known = useApp((state) => state.previews.known);
  return props.choices.map((choice) => (
    <Pick
      key={choice.key}
      choice={choice}
      layout={props.layout}
      compiled={compiled}
      preview={previewOf(known, choice.gesture)}
      onPick={(gesture) => {
        store.getState().choose(undefined);
        void store.getState().gesture(gesture);
      }}
    />
  ));
}

interface Choice {
  readonly key: string;
  readonly gesture: DimGesture;
  readonly axes: readonly string[];
  readonly text: string;
  readonly isCurrent: boolean;
  /** Whether partial sums of the tensor lie over the axis. */
  readonly isSum?: boolean;
}

function choicesOf(tensor: Tensor, layout: Layout, dim: number): readonly Choice[] {
  const size = tensor.shape[dim] ?? 0;
  const parts = layout.dims[dim]?.parts ?? [];
  const cutting = axesOn(layout, dim);
  const ways = parts.reduce(
    (all, part) => all * (part.kind === "axis" ? part.size : part.count),
    1,
  );
  const axes = layout.mesh.axes.map(({ name, size: count }): Choice => {
    const isCurrent = cutting.includes(name);
    const kind = isCurrent ? ("unsplit" as const) : ("split" as const);
    const each = Math.ceil(size / (ways * (isCurrent ? 1 : count)));
    return {
      key: name,
      gesture: { kind, tensor: tensor.id, dim, axis: name },
      axes: [name],
      text: isCurrent ? `${each} each, press to take off` : `${each} each`,
      isCurrent,
    };
  });
  const whole: Choice = {
    key: "whole",
    gesture: { kind: "whole", tensor: tensor.id, dim },
    axes: [],
    text: `${size} each`,
    isCurrent: cutting.length === 0,
  };
  return [...axes, ...sumsOf(tensor, layout, dim), whole];
}

/** The axes of partial sums that could be added into blocks of the dim. */
function sumsOf(tensor: Tensor, layout: Layout, dim: number): readonly Choice[] {
  const now = localShape(layout, tensor.shape)[dim] ?? 0;
  return layout.partials.flatMap(({ part }): Choice[] => {
    if (part.kind !== "axis" || part.size === 1) return [];
    const { axis, size } = part;
    return [
      {
        key: `sum ${axis}`,
        gesture: { kind: "scatter", tensor: tensor.id, dim, axis },
        axes: [axis],
        text: `Add the parts into blocks, ${Math.ceil(now / size)} each`,
        isCurrent: false,
        isSum: true,
      },
    ];
  });
}

/** The most axes whose pairs are listed as choices too. */
const pairedAxes = 4;

function pairsOf(tensor: Tensor, layout: Layout, dim: number): readonly Choice[] {
  const now = axesOn(layout, dim).join();
  const axes = layout.mesh.axes.filter(({ size }) => size > 1).slice(0, pairedAxes);
  return axes.flatMap((outer) =>
    axes.flatMap((inner): Choice[] => {
      if (outer === inner) return [];
      const names = [outer.name, inner.name];
      const each = Math.ceil((tensor.shape[dim] ?? 0) / (outer.size * inner.size));
      const isCurrent = names.join() === now;
      return [
        {
          key: names.join(),
          gesture: { kind: "set", tensor: tensor.id, dim, axes: names },
          axes: names,
          text: isCurrent ? `${each} each, as it is` : `${each} each`,
          isCurrent,
        },
      ];
    }),
  );
}

interface PickProps {
  readonly choice: Choice;
  readonly layout: Layout;
  readonly compiled: Compiled | undefined;
  readonly preview: Preview | undefined;
  readonly onPick: (gesture: DimGesture) => void;
}

function Pick({ choice, layout, compiled, preview, onPick }: PickProps) {
  const refusal = preview?.outcome.ok === false ? preview.outcome : undefined;
  const note = preview?.outcome.ok === true ? placedText(choice, preview.outcome.note) : undefined;
  const gesture = refusal === undefined ? choice.gesture : refusal.instead?.gesture;
  const isDone = choice.isCurrent && choice.axes.length !== 1;
  const isOff = isDone || gesture === undefined;
  const Shape = choice.isCurrent ? Check : gesture === undefined ? Ban : ChevronRight;
  return (
    <button
      type="button"
      className="pick"
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onPick(gesture);
      }}
    >
      {choice.axes.length === 0 ? (
        <span className="mono num">whole</span>
      ) : (
        <span className="pick-axes">
          {choice.isSum === true && "Σ "}
          {choice.axes.map((axis) => (
            <AxisChip key={axis} tag={{ text: axis, hue: hueOf(layout.mesh, axis) }} />
          ))}
        </span>
      )}
      <span>{choice.isCurrent ? choice.text : (refusal?.reason ?? note ?? choice.text)}</span>
      <span className="delta">
        {isDone
          ? "current"
          : deltaLines(preview, compiled).map((line) => <div key={line}>{line}</div>)}
        {refusal?.instead !== undefined && "Move it here"}
      </span>
      <Icon icon={Shape} />
    </button>
  );
}

/**
 * Where a rule keeps the dim whole in its operator, the tensor is placed instead: the text says
 * both.
 */
function placedText({ text }: Choice, note: string | undefined): string | undefined {
  return note === undefined ? undefined : `${text}, as placed: ${note}`;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const here = document.activeElement;
  const at = here instanceof HTMLButtonElement ? buttons.indexOf(here) : -1;
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}
