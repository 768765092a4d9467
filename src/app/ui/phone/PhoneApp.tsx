import { Code, Gauge, Grid2x2, ListTree, Play } from "lucide-react";
import { lazy, Suspense } from "react";
import { formatBytes, formatSeconds, formatShare } from "#app/scene/text";
import { diagnosticsOf, type SheetTab, shown } from "#app/state";
import { BrandMark } from "../atoms/Brand.tsx";
import { Loading } from "../atoms/Loading.tsx";
import { TabList } from "../atoms/TabList.tsx";
import { CostsPanel } from "../hud/CostsPanel.tsx";
import { ChangeLine } from "../hud/Deltas.tsx";
import { Asked } from "../lesson/asked.tsx";
import { Lesson } from "../lesson/Lesson.tsx";
import { PageTitle } from "../PageTitle.tsx";
import { PanelBoundary } from "../PanelBoundary.tsx";
import { PlanSection } from "../planner/PlanButton.tsx";
import { TextNotes } from "../plans/TextNotes.tsx";
import { summaryOf } from "../program/Problems.tsx";
import { ProgramPanel } from "../program/ProgramPanel.tsx";
import { PublishedNotes } from "../published/PublishedNotes.tsx";
import { StatusLine } from "../StatusLine.tsx";
import { MeshPanel } from "../side/MeshPanel.tsx";
import { useApp } from "../store-context.tsx";
import { FaultTools } from "../top/FaultTools.tsx";
import { PlanMenu } from "../top/PlanMenu.tsx";
import { ShareButtons } from "../top/ShareButtons.tsx";
import { UndoButton } from "../top/TopBar.tsx";
import { WorkNote } from "../top/WorkNote.tsx";
import { DimSheet } from "./DimSheet.tsx";
import { MoreMenu } from "./MoreMenu.tsx";
import { PhonePlan } from "./PhonePlan.tsx";
import { rowId } from "./PhoneSteps.tsx";

const RunPanel = lazy(async () => ({ default: (await import("../run/RunPanel.tsx")).RunPanel }));

const tabs = [
  ["plan", "Plan", ListTree],
  ["mesh", "Mesh", Grid2x2],
  ["run", "Run", Play],
  ["costs", "Costs", Gauge],
  ["program", "Program", Code],
] as const;

/** Titles of panels that have no heading of their own. */
const untitled: Partial<Record<SheetTab, string>> = { plan: "Plan", run: "Run", costs: "Costs" };

/**
 * The panels that open elsewhere: a tensor and the steps of a redistribution inside the plan, the
 * planner beside the costs.
 */
type PhoneTab = Exclude<SheetTab, "tensor" | "steps" | "planner">;

function phoneTab(tab: SheetTab): PhoneTab {
  if (tab === "planner") return "costs";
  return tab === "tensor" || tab === "steps" ? "plan" : tab;
}

/** The arrangement for a phone: one panel at a time, no pan and zoom. */
export function PhoneApp() {
  const tab = useApp((state) => phoneTab(state.sheetTab));
  const compiled = useApp((state) => state.compiled);
  return (
    <div className="phone">
      <PhoneHead />
      <main className="panel" aria-label={tab}>
        {untitled[tab] !== undefined && <h2 className="vh">{untitled[tab]}</h2>}
        <PanelBoundary name="This panel" attempt={`${tab} ${compiled.kind}`}>
          <Panel tab={tab} />
        </PanelBoundary>
      </main>
      <Lesson />
      <StatusLine />
      <DimSheet />
      <PhoneTabs tab={tab} />
    </div>
  );
}

function Panel({ tab }: { readonly tab: PhoneTab }) {
  switch (tab) {
    case "plan":
      return <PhonePlan />;
    case "mesh":
      return <MeshPanel />;
    case "run":
      return (
        <Suspense fallback={null}>
          <RunPanel focusOn={rowId} />
        </Suspense>
      );
    case "costs":
      return (
        <>
          <PlanSection />
          <CostsPanel hasMeters={false} />
        </>
      );
    case "program":
      return <ProgramPanel screen="phone" />;
  }
}

function PhoneTabs({ tab }: { readonly tab: PhoneTab }) {
  const show = useApp((state) => state.showSheet);
  return (
    <nav aria-label="Views">
      <TabList className="tabs" label="Views" tabs={tabs} value={tab} onChange={show} />
    </nav>
  );
}

function PhoneHead() {
  return (
    <header className="phonehead">
      <PageTitle />
      <div className="row">
        <span className="brand">
          <BrandMark />
          <span className="vh">Shardboard</span>
        </span>
        <PlanMenu />
        <UndoButton />
        <ShareButtons isIcon />
        <MoreMenu />
      </div>
      <Summary />
      <WorkNote />
      <FaultTools />
      <TextNotes />
      <PublishedNotes />
      <ProblemLine />
    </header>
  );
}

function Summary() {
  const compiled = useApp(shown);
  if (compiled === undefined) {
    return (
      <div className="sum">
        <Loading />
      </div>
    );
  }
  const { cost, memory, hardware } = compiled;
  const over = memory.peakBytes - hardware.memoryBytes;
  const share = cost.seconds === 0 ? 0 : cost.exposedSeconds / cost.seconds;
  return (
    <>
      <div className="sum">
        <span data-testid="hud-memory">
          Memory
          <b>
            <Asked of="memory">{formatBytes(memory.peakBytes)}</Asked>
          </b>
          of {formatBytes(hardware.memoryBytes)}
          {over > 0 && <span className="over-words">over by {formatBytes(over)}</span>}
        </span>
        <span data-testid="hud-comm">
          Communication
          <b>
            <Asked of="comm">{formatBytes(cost.bytes)}</Asked>
          </b>
          per device
        </span>
        <span data-testid="hud-time">
          Time, model
          <b>
            <Asked of="time">{formatSeconds(cost.seconds)}</Asked>
          </b>
          comm {formatShare(share)}
        </span>
      </div>
      <ChangeLine compiled={compiled} />
    </>
  );
}

/** One line that tells of problems, whichever panel is open. */
function ProblemLine() {
  const diagnostics = useApp(diagnosticsOf);
  const isStale = useApp((state) => state.compiled.kind === "stale");
  const show = useApp((state) => state.showSheet);
  if (!diagnostics.some(({ severity }) => severity !== "info")) return null;
  return (
    <button type="button" className="problem-line" onClick={() => show("program")}>
      <span className="num">{summaryOf(diagnostics)}</span>
      {isStale && <span data-testid="stale">Showing the last valid version</span>}
    </button>
  );
}
