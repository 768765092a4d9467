import { TabList } from "./atoms/TabList.tsx";
import { CanvasNotes } from "./canvas/CanvasNotes.tsx";
import { GraphCanvas } from "./canvas/GraphCanvas.tsx";
import { CostsPanel } from "./hud/CostsPanel.tsx";
import { Hud } from "./hud/Hud.tsx";
import { PanelBoundary } from "./PanelBoundary.tsx";
import { DimSheet } from "./phone/DimSheet.tsx";
import { StepBar, StepSheet, StepView } from "./player/StepView.tsx";
import { ProgramPanel } from "./program/ProgramPanel.tsx";
import type { Screen } from "./screen.ts";
import { Inspector } from "./side/Inspector.tsx";
import { MeshPanel } from "./side/MeshPanel.tsx";
import { useApp } from "./store-context.tsx";
import { TopBar } from "./top/TopBar.tsx";

/** The arrangement for anything wider than a phone: panels beside each other. */
export function Workspace({ screen }: { readonly screen: Exclude<Screen, "phone"> }) {
  const attempt = useApp((state) => state.compiled);
  const isTablet = screen === "tablet";
  return (
    <div className="app">
      <TopBar screen={screen} />
      {!isTablet && <Program screen={screen} />}
      <main className="mid" aria-label="Plan">
        <PanelBoundary name="The graph" attempt={attempt}>
          <GraphCanvas />
          <CanvasNotes />
        </PanelBoundary>
        {!isTablet && (
          <PanelBoundary name="The step view" attempt={attempt}>
            <StepView />
          </PanelBoundary>
        )}
      </main>
      {isTablet && (
        <PanelBoundary name="The step view" attempt={attempt}>
          <StepBar />
        </PanelBoundary>
      )}
      {isTablet ? <Sheet /> : <Side />}
      <PanelBoundary name="The cost bar" attempt={attempt}>
        <Hud />
      </PanelBoundary>
      {isTablet && <DimSheet />}
    </div>
  );
}

function Program({ screen }: { readonly screen: Screen }) {
  const isOpen = useApp((state) => state.isDrawerOpen);
  const open = useApp((state) => state.openDrawer);
  if (screen === "drawer" && !isOpen) return null;
  return (
    <>
      {screen === "drawer" && (
        <button
          type="button"
          className="drawer-veil"
          aria-label="Close the program"
          onClick={() => open(false)}
        />
      )}
      <PanelBoundary name="The program" attempt={screen}>
        <ProgramPanel screen={screen} />
      </PanelBoundary>
    </>
  );
}

function Side() {
  const attempt = useApp((state) => state.compiled);
  return (
    <aside className="side" aria-label="Mesh and tensor">
      <PanelBoundary name="The mesh" attempt={attempt}>
        <MeshPanel />
      </PanelBoundary>
      <PanelBoundary name="The tensor" attempt={attempt}>
        <Inspector hasSheet={false} />
      </PanelBoundary>
    </aside>
  );
}

const tabs = [
  ["mesh", "Mesh"],
  ["tensor", "Tensor"],
  ["steps", "Steps"],
  ["program", "Program"],
  ["costs", "Costs"],
] as const;

/** Below the canvas of a tablet: one panel at a time. */
function Sheet() {
  const wanted = useApp((state) => state.sheetTab);
  const show = useApp((state) => state.showSheet);
  const attempt = useApp((state) => state.compiled);
  const tab = wanted === "plan" ? "tensor" : wanted;
  return (
    <aside className="side" aria-label="Panels">
      <TabList className="sheettabs" label="Panels" tabs={tabs} value={tab} onChange={show} />
      <div className="sheet-body">
        <PanelBoundary name="This panel" attempt={attempt}>
          {tab === "mesh" && <MeshPanel />}
          {tab === "tensor" && <Inspector hasSheet />}
          {tab === "steps" && <StepSheet />}
          {tab === "program" && <ProgramPanel screen="tablet" />}
          {tab === "costs" && <CostsPanel hasMeters={false} />}
        </PanelBoundary>
      </div>
    </aside>
  );
}
