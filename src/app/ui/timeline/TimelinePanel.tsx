import { useRef } from "react";
import { drawn } from "#app/state";
import { RunBrief } from "../run/RunBrief.tsx";
import { RunButton, RunHowButton } from "../run/RunButton.tsx";
import { Splitter } from "../Splitter.tsx";
import { useApp } from "../store-context.tsx";
import { LowerTabs } from "./LowerTabs.tsx";
import { StepTimeline } from "./StepTimeline.tsx";
import { useHeight } from "./use-height.ts";

/** Height of the key above the drawing and of the readout below it, in CSS pixels. */
const around = 60;

/** The whole step in time, under the canvas. */
export function TimelinePanel() {
  const compiled = useApp(drawn);
  const body = useRef<HTMLDivElement>(null);
  const height = useHeight(body, 200);
  return (
    <section className="player" aria-label="One step">
      <Splitter panel="player" />
      <div className="head">
        <LowerTabs />
        <span className="mut">on the busiest device</span>
        <span className="sp" />
        <RunButton />
        <RunHowButton />
      </div>
      <RunBrief />
      <div className="timeline-body" ref={body}>
        {compiled !== undefined && (
          <StepTimeline compiled={compiled} height={Math.max(80, height - around)} />
        )}
      </div>
    </section>
  );
}
