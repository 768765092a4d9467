import { ExternalLink } from "lucide-react";
import { type EmbeddedView, wholeLink } from "#app/embedding";
import { type AppState, titleOf } from "#app/state";
import { Icon } from "../atoms/Icon.tsx";
import { PageTitle } from "../PageTitle.tsx";
import { PlanBoundary } from "../PlanBoundary.tsx";
import { TextNotes } from "../plans/TextNotes.tsx";
import { usePlayer } from "../player/use-player.ts";
import { useApp } from "../store-context.tsx";
import { EmbedSteps } from "./EmbedSteps.tsx";
import { useMessages } from "./use-messages.ts";
import {
  Faults,
  GraphView,
  MeshView,
  RunsView,
  StepPicture,
  TensorPicture,
  TimelineView,
} from "./views.tsx";

/**
 * A plan inside another page: the view that its link names, its steps, and a link to the whole
 * board.
 */
export function EmbedPage() {
  const view = useApp(viewOf);
  const title = useApp(titleOf);
  useMessages();
  return (
    <div className="embed" data-testid="embed" data-view={view}>
      <main className="mid" aria-label={title}>
        <PageTitle />
        <PlanBoundary name="The plan">
          <Looked view={view} />
        </PlanBoundary>
      </main>
      <div className="embed-said">
        <TextNotes />
        <Faults />
      </div>
      <footer className="embed-bar">
        <PlanBoundary name="The steps">
          {view === "graph" || view === "step" ? <Steps /> : <span className="embed-words" />}
        </PlanBoundary>
        <a
          className="btn line embed-open"
          href={wholeLink(location.href)}
          target="_blank"
          rel="noopener"
        >
          <Icon icon={ExternalLink} size={14} />
          <span>Open</span>
        </a>
      </footer>
    </div>
  );
}

/** The view that the address names, else the tab of its selection. */
function viewOf({ options, sheetTab }: AppState): EmbeddedView {
  if (options.view !== undefined) return options.view;
  if (options.at !== undefined || sheetTab === "steps") return "step";
  return sheetTab === "tensor" || sheetTab === "mesh" || sheetTab === "run" ? sheetTab : "graph";
}

function Looked({ view }: { readonly view: EmbeddedView }) {
  switch (view) {
    case "graph":
      return <GraphView />;
    case "step":
      return <Step />;
    case "tensor":
      return <TensorPicture />;
    case "mesh":
      return <MeshView />;
    case "run":
      return <RunsView />;
    case "timeline":
      return <TimelineView />;
  }
}

function Step() {
  return <StepPicture player={usePlayer()} />;
}

function Steps() {
  const player = usePlayer();
  return player === undefined ? <span /> : <EmbedSteps player={player} />;
}
