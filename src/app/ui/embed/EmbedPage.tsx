import { ExternalLink } from "lucide-react";
import { useMemo } from "react";
import { wholeLink } from "#app/embedding";
import { drawnIn } from "#app/scene/glyph";
import { formatBytes } from "#app/scene/text";
import {
  diagnosticsOf,
  drawn,
  type SheetTab,
  selectedTensor,
  shown,
  tensorView,
  titleOf,
} from "#app/state";
import { shownLayout } from "#compile";
import { capitalized } from "#core/diagnostics";
import { Icon } from "../atoms/Icon.tsx";
import { PlanCanvas } from "../board/PlanCanvas.tsx";
import { TrainingChoice } from "../canvas/CanvasNotes.tsx";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { PlanBoundary } from "../PlanBoundary.tsx";
import { TextNotes } from "../plans/TextNotes.tsx";
import { OperatorPicture } from "../player/OperatorStill.tsx";
import { usePlayer } from "../player/use-player.ts";
import { useTravel } from "../player/use-travel.ts";
import { summaryOf } from "../program/Problems.tsx";
import { useApp } from "../store-context.tsx";
import { tensorSentence } from "../words.ts";
import { EmbedSteps } from "./EmbedSteps.tsx";
import { useMessages } from "./use-messages.ts";

/** A plan inside another page: its canvas or one tensor, its steps, and the way to the whole. */
export function EmbedPage() {
  const tab = useApp((state) => state.sheetTab);
  const title = useApp(titleOf);
  useMessages();
  return (
    <div className="embed" data-testid="embed">
      <main className="mid" aria-label={title}>
        <PlanBoundary name="The plan">
          <Looked tab={tab} />
        </PlanBoundary>
      </main>
      <div className="embed-said">
        <TextNotes />
        <Faults />
      </div>
      <footer className="embed-bar">
        <PlanBoundary name="The steps">
          <Steps />
        </PlanBoundary>
        <a
          className="btn line embed-open"
          href={wholeLink(location.href)}
          target="_blank"
          rel="noopener"
        >
          <Icon icon={ExternalLink} size={14} />
          Open
        </a>
      </footer>
    </div>
  );
}

/** What the link looks at: a tensor, a step, or all of the plan. */
function Looked({ tab }: { readonly tab: SheetTab }) {
  if (tab === "tensor") return <OneTensor />;
  return tab === "steps" ? <OneStep /> : <Graph />;
}

/** The step that the link looks at, as the player draws it; the plan where it has none. */
function OneStep() {
  const player = usePlayer();
  const travel = useTravel(player?.frame, player?.phase ?? "move");
  if (player?.operator !== undefined) {
    return (
      <div className="embed-step">
        <OperatorPicture operator={player.operator} />
      </div>
    );
  }
  if (player?.frame === undefined) return <Graph />;
  return (
    <div className="embed-step" data-testid="embed-step">
      <FrameDrawing frame={player.frame} phase={player.phase} share={travel.share} />
    </div>
  );
}

/** The canvas, with what is to be switched on it where there is room. */
function Graph() {
  return (
    <>
      <PlanCanvas />
      <div className="canvas-top">
        <TrainingChoice />
      </div>
    </>
  );
}

/** What the page says of its text: errors and warnings, the worst in words, and what is stale. */
function Faults() {
  const diagnostics = useApp(diagnosticsOf);
  const isStale = useApp((state) => state.compiled.kind === "stale");
  const worst =
    diagnostics.find(({ severity }) => severity === "error") ??
    diagnostics.find(({ severity }) => severity === "warning");
  if (worst === undefined) return null;
  return (
    <p className="embed-faults" role="status" data-severity={worst.severity}>
      <b className="num">{summaryOf(diagnostics)}.</b> {capitalized(worst.message)}.
      {isStale && <span data-testid="stale"> Showing the last valid version.</span>}
    </p>
  );
}

function Steps() {
  const player = usePlayer();
  return player === undefined ? <span /> : <EmbedSteps player={player} />;
}

const glyphSize = { width: 260, height: 150 };

/** The tensor that the link looks at, large, with its sentence. */
function OneTensor() {
  const compiled = useApp(drawn);
  const tensor = useApp(selectedTensor);
  const bytes = useApp((state) => shown(state)?.cost.bytes);
  const view = compiled && tensor && tensorView(compiled, tensor.id);
  const layout = view && shownLayout(view);
  const drawing = useMemo(
    () => compiled && layout && tensor && drawnIn(compiled, tensor, layout),
    [compiled, layout, tensor],
  );
  if (drawing === undefined || tensor === undefined || view === undefined) return null;
  const sentence = tensorSentence(tensor, view);
  return (
    <div className="embed-tensor">
      <Glyph
        tensor={drawing}
        size={glyphSize}
        options={{ showIds: true, showNames: true }}
        label={sentence}
      />
      <p>{sentence}</p>
      {bytes !== undefined && <p className="mut">The plan sends {formatBytes(bytes)} a device.</p>}
    </div>
  );
}
