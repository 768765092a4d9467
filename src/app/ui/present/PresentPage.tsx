import { ChevronLeft, ChevronRight, Maximize, NotebookText, Plus, Square, X } from "lucide-react";
import { useState } from "react";
import { planHead } from "#app/scene/text";
import { drawn, selectedTensor, shown, tensorView } from "#app/state";
import "./present.css";
import { IconButton } from "../atoms/IconButton.tsx";
import { Faults, GraphView, StepPicture, TensorPicture } from "../embed/views.tsx";
import { PageTitle } from "../PageTitle.tsx";
import { PlanBoundary } from "../PlanBoundary.tsx";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { TextNotes } from "../plans/TextNotes.tsx";
import { HopsSwitch } from "../player/HopsSwitch.tsx";
import { DeviceGrid } from "../side/DeviceGrid.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { tensorSentence } from "../words.ts";
import { Enlarged } from "./Enlarged.tsx";
import { Laser } from "./Laser.tsx";
import { LessonNotes } from "./LessonNotes.tsx";
import { StationList } from "./StationList.tsx";
import { useFullScreen } from "./use-full-screen.ts";
import { usePresses } from "./use-presses.ts";
import { type Stations, type Stops, useStations, useStops } from "./use-stops.ts";
import { useTalkKeys } from "./use-talk-keys.ts";

/** The plan for an audience: the mesh, one drawing and one sentence, in large letters. */
export function PresentPage() {
  const stops = useStops();
  const stations = useStations();
  const store = useAppStore();
  const [isBlank, setBlank] = useState(false);
  const [hasNotes, setNotes] = useState(false);
  const { present } = store.getState();
  const full = useFullScreen(() => present(false));
  const blank = () => setBlank(!isBlank);
  const notes = () => setNotes(!hasNotes);
  useTalkKeys({ stops, stations, isBlank, unblank: () => setBlank(false) });
  useLetterKeys({ b: blank, n: notes, f: full, h: () => switchHops(store.getState()) });
  const presses = usePresses(stops);
  return (
    <div className="present" data-testid="present" data-slide={stops.slide}>
      <header className="present-head">
        <h2>{stops.title}</h2>
        <span className="num nowrap">{stops.count}</span>
      </header>
      <main className="mid present-stage" aria-label={stops.title} {...presses}>
        <PageTitle />
        <Mesh />
        <PlanBoundary name="The drawing">
          <Drawing stops={stops} />
        </PlanBoundary>
        <Laser />
      </main>
      <div className="present-said">
        <Caption stops={stops} />
        <TextNotes />
        <Faults />
        {hasNotes && <LessonNotes />}
      </div>
      <Controls stops={stops} stations={stations} {...{ blank, notes, full, hasNotes }} />
      {isBlank && (
        <button
          type="button"
          className="present-blank"
          aria-label="The screen is blank. Show it again"
          onClick={() => setBlank(false)}
        />
      )}
    </div>
  );
}

function switchHops({ hops, showHops }: ReturnType<ReturnType<typeof useAppStore>["getState"]>) {
  showHops(hops === "ring" ? "logical" : "ring");
}

/** The devices, as large as the room allows; a hovered device lights up with its group. */
function Mesh() {
  const compiled = useApp(shown);
  if (compiled === undefined) return null;
  return (
    <section className="present-mesh" aria-label="Mesh">
      <Enlarged width={260} height={120} isWhole>
        <DeviceGrid mesh={compiled.mesh.mesh} hardware={compiled.hardware} />
      </Enlarged>
    </section>
  );
}

function Drawing({ stops: { slide, player } }: { readonly stops: Stops }) {
  if (slide === "plan") {
    return (
      <div className="present-drawing is-plan">
        <GraphView />
      </div>
    );
  }
  return (
    <div className="present-drawing">
      <Enlarged width={312} height={190}>
        {slide === "tensor" ? <TensorPicture /> : <StepPicture player={player} />}
      </Enlarged>
    </div>
  );
}

/** The slide in a sentence or two. */
function Caption({ stops: { slide, player } }: { readonly stops: Stops }) {
  const compiled = useApp(drawn);
  const tensor = useApp(selectedTensor);
  const view = compiled && tensor && tensorView(compiled, tensor.id);
  const words = {
    plan: compiled === undefined ? "" : planHead(compiled),
    tensor: tensor !== undefined && view !== undefined ? tensorSentence(tensor, view) : "",
    step: player?.frame?.caption ?? player?.operator?.caption ?? "",
  }[slide];
  return (
    <p className="present-words" aria-live="polite">
      {words}
    </p>
  );
}

interface ControlsProps {
  readonly stops: Stops;
  readonly stations: Stations;
  readonly hasNotes: boolean;
  readonly blank: () => void;
  readonly notes: () => void;
  readonly full: () => void;
}

function Controls({ stops, stations, hasNotes, blank, notes, full }: ControlsProps) {
  const store = useAppStore();
  const isLesson = stations.areOfLesson;
  const { present, keepStation } = store.getState();
  const frame = stops.slide === "step" ? stops.player?.frame : undefined;
  return (
    <nav className="present-bar" aria-label="Talk">
      <IconButton
        icon={ChevronLeft}
        size={24}
        name="Back"
        disabled={stops.back === undefined}
        onClick={stops.back}
      />
      <IconButton
        icon={ChevronRight}
        size={24}
        name="Forth"
        disabled={stops.forth === undefined}
        onClick={stops.forth}
      />
      {frame !== undefined && <HopsSwitch frame={frame} />}
      <StationList stations={stations} />
      {!isLesson && (
        <IconButton
          icon={Plus}
          size={24}
          name="Keep this view as a station"
          onClick={keepStation}
        />
      )}
      <span className="sp" />
      {isLesson && (
        <IconButton
          icon={NotebookText}
          size={24}
          name="Speaker's notes (N)"
          aria-pressed={hasNotes}
          onClick={notes}
        />
      )}
      <IconButton icon={Square} size={24} name="Blank the screen (B)" onClick={blank} />
      <IconButton icon={Maximize} size={24} name="Fill the screen (F)" onClick={full} />
      <IconButton
        icon={X}
        size={24}
        name="Leave (Escape)"
        testId="present-leave"
        onClick={() => present(false)}
      />
    </nav>
  );
}
