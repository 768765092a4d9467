import { Lightbulb, X } from "lucide-react";
import { type ReactNode, useEffect, useMemo } from "react";
import { hueOf } from "#app/scene";
import { formatBytes } from "#app/scene/text";
import {
  type AppState,
  drawn,
  exampleHints,
  exampleOf,
  type HintKind,
  hintOf,
  isStale,
} from "#app/state";
import type { Compiled } from "#compile";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { IconButton } from "../atoms/IconButton.tsx";
import { hasOnlyFingers } from "../screen.ts";
import { useApp } from "../store-context.tsx";

/** Whether hints are hidden: in read-only modes, for a stale plan, or by the settings. */
const isLocked = (state: AppState) =>
  state.mode !== "whole" || isStale(state) || !state.settings.hasHints;

/** Hints of an example, one at a time: the next appears when one has been followed. */
export function Hint({ isTouch = false }: { readonly isTouch?: boolean }) {
  const compiled = useApp(drawn);
  const locked = useApp(isLocked);
  const dismiss = useApp((state) => state.endHints);
  const kind = useHintKind();
  if (compiled === undefined || locked || kind === undefined) return null;
  const isByTouch = isTouch || hasOnlyFingers();
  if (kind === "edit") return <EditHint {...{ compiled, isByTouch }} onDismiss={dismiss} />;
  const words = wordsOf(kind, compiled, isByTouch);
  return words === undefined ? null : <HintLine onDismiss={dismiss}>{words}</HintLine>;
}

/** Kind of the hint to show; moves on past hints that have been followed. */
function useHintKind(): HintKind | undefined {
  const shown = useApp((state) => state.shownText);
  const followed = useApp((state) => state.followed);
  const follow = useApp((state) => state.followHint);
  const chain = exampleHints(shown.from.kind === "example" ? shown.from.name : undefined);
  const count = followed?.text === shown.id ? followed.count : 0;
  const kind = chain[count];
  const isDone = useApp((state) => kind !== undefined && isFollowed[kind](state));
  useEffect(() => {
    if (isDone) follow(shown.id, count + 1);
  }, [isDone, follow, shown.id, count]);
  return kind;
}

/** Whether a hint has been followed, by kind. */
const isFollowed: Readonly<Record<HintKind, (state: AppState) => boolean>> = {
  edit: (state) => {
    const compiled = drawn(state);
    if (compiled?.source !== state.document.source) return false;
    return hintOf(exampleOf(state)?.hint, compiled) === undefined;
  },
  pick: ({ selection }) => selection.redistribution !== undefined,
  step: ({ frame, isPlaying, playedStep }) => frame > 1 || isPlaying || playedStep !== undefined,
  costs: ({ metric, sheetTab }) => metric !== undefined || sheetTab === "costs",
  devices: ({ comparedDevice }) => comparedDevice !== undefined,
  plan: ({ planning }) => planning.kind !== "idle",
};

/** Text of a hint; `undefined` if the plan lacks the thing that it refers to. */
function wordsOf(
  kind: Exclude<HintKind, "edit">,
  { program }: Compiled,
  isByTouch: boolean,
): ReactNode {
  const press = isByTouch ? "Tap" : "Click";
  const [first] = program.redistributions;
  switch (kind) {
    case "pick":
      return (
        first && (
          <>
            <b className="mono">{first.tensor}</b> is sent between devices. {press} its mark to see
            which device sends what, and why.
          </>
        )
      );
    case "step":
      return first && <>Go through its steps with the arrows: each shows who holds which piece.</>;
    case "costs":
      return <>{press} the time of the step to see what takes it, and what is exposed.</>;
    case "devices":
      return <>The pieces of device 5 are marked. {press} another device to see what both hold.</>;
    case "plan":
      return <>{press} Plan: the planner looks for a plan that takes less time.</>;
  }
}

interface LineProps {
  readonly onDismiss: () => void;
  readonly children: ReactNode;
}

function HintLine({ onDismiss, children }: LineProps) {
  return (
    <div className="hint" role="note">
      <Lightbulb className="ico" size={15} strokeWidth={1.75} aria-hidden="true" />
      <p>{children}</p>
      <IconButton icon={X} size={14} name="Dismiss the hints" onClick={onDismiss} />
    </div>
  );
}

interface EditProps {
  readonly compiled: Compiled;
  readonly isByTouch: boolean;
  readonly onDismiss: () => void;
}

/** First edit to try on an unchanged example, worded for pointer, keys or touch. */
function EditHint({ compiled, isByTouch, onDismiss }: EditProps) {
  const wanted = useApp((state) => exampleOf(state)?.hint);
  const hint = useMemo(() => hintOf(wanted, compiled), [wanted, compiled]);
  if (hint === undefined) return null;
  const { redistribution, key } = hint;
  const { mesh } = compiled.mesh;
  const axis = <AxisChip tag={{ text: hint.axis, hue: hueOf(mesh, hint.axis) }} />;
  const target = <b className="mono">{hint.dim}</b>;
  return (
    <HintLine onDismiss={onDismiss}>
      <b className="mono">{redistribution.tensor}</b> is sent around,{" "}
      <span className="nowrap">{formatBytes(redistribution.bytes)}.</span>{" "}
      {isByTouch ? (
        <>
          Tap {target} and choose {axis}.
        </>
      ) : (
        <>
          Drop {axis} on {target}
          {key !== undefined && (
            <>
              , or click <b className="mono">{hint.tensor}</b> and press {key}
            </>
          )}
          .
        </>
      )}
    </HintLine>
  );
}
