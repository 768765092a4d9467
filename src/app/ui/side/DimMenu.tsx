import { Ban, Check, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo } from "react";
import { hueOf } from "#app/scene";
import { type Compiled, type Gesture, type Preview, shown } from "#app/state";
import type { Tensor } from "#core/ir";
import type { Layout } from "#core/mesh";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { Popover } from "../atoms/Popover.tsx";
import { deltaLines } from "../gesture/delta.ts";
import { useApp, useAppStore } from "../store-context.tsx";

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

/** The list of choices, for the menu and for the sheet of small screens. */
export function DimChoices({ tensor, layout, dim }: Props) {
  const store = useAppStore();
  const compiled = useApp(shown);
  const known = useApp((state) => state.previews.known);
  const choices = useMemo(() => choicesOf(tensor, layout, dim), [tensor, layout, dim]);
  useEffect(() => {
    void store.getState().preview(choices.map(({ gesture }) => gesture));
  }, [store, choices]);
  return (
    <fieldset className="picks" onKeyDown={moveFocus}>
      <legend className="vh">Choices</legend>
      {choices.map((choice) => (
        <Pick
          key={choice.key}
          choice={choice}
          layout={layout}
          compiled={compiled}
          preview={known.find(({ gesture }) => sameGesture(gesture, choice.gesture))}
          onPick={() => {
            store.getState().choose(undefined);
            void store.getState().gesture(choice.gesture);
          }}
        />
      ))}
    </fieldset>
  );
}

interface Choice {
  readonly key: string;
  readonly gesture: Gesture;
  readonly axis: string | undefined;
  readonly text: string;
  readonly isCurrent: boolean;
}

function choicesOf(tensor: Tensor, layout: Layout, dim: number): readonly Choice[] {
  const size = tensor.shape[dim] ?? 0;
  const parts = layout.dims[dim]?.parts ?? [];
  const cutting = parts.flatMap((part) =>
    part.kind === "axis" && part.size > 1 ? [part.axis] : [],
  );
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
      axis: name,
      text: isCurrent ? `${each} each, press to take off` : `${each} each`,
      isCurrent,
    };
  });
  const whole: Choice = {
    key: "whole",
    gesture: { kind: "whole", tensor: tensor.id, dim },
    axis: undefined,
    text: `${size} each`,
    isCurrent: cutting.length === 0,
  };
  return [...axes, whole];
}

interface PickProps {
  readonly choice: Choice;
  readonly layout: Layout;
  readonly compiled: Compiled | undefined;
  readonly preview: Preview | undefined;
  readonly onPick: () => void;
}

function Pick({ choice, layout, compiled, preview, onPick }: PickProps) {
  const isOff = (choice.axis === undefined && choice.isCurrent) || preview?.outcome.ok === false;
  const reason = preview?.outcome.ok === false ? preview.outcome.reason : undefined;
  const Icon = choice.isCurrent ? Check : reason === undefined ? ChevronRight : Ban;
  return (
    <button
      type="button"
      className="pick"
      aria-disabled={isOff}
      onClick={() => {
        if (!isOff) onPick();
      }}
    >
      {choice.axis === undefined ? (
        <span className="mono num">whole</span>
      ) : (
        <span>
          <AxisChip tag={{ text: choice.axis, hue: hueOf(layout.mesh, choice.axis) }} />
        </span>
      )}
      <span>{choice.isCurrent ? choice.text : (reason ?? choice.text)}</span>
      <span className="delta">
        {choice.isCurrent && choice.axis === undefined
          ? "current"
          : deltaLines(preview, compiled).map((line) => <div key={line}>{line}</div>)}
      </span>
      <Icon className="ico" size={16} strokeWidth={1.75} aria-hidden="true" />
    </button>
  );
}

function sameGesture(a: Gesture, b: Gesture): boolean {
  return a.kind === b.kind && a.tensor === b.tensor && a.dim === b.dim && a.axis === b.axis;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
}
