import { lazy, Suspense, useEffect, useState } from "react";
import { TabList } from "../atoms/TabList.tsx";
import { PanelBoundary } from "../PanelBoundary.tsx";
import type { Screen } from "../screen.ts";
import { useApp } from "../store-context.tsx";
import { Outline } from "./Outline.tsx";
import { PlainEditor } from "./PlainEditor.tsx";
import { Problems } from "./Problems.tsx";
import { StaticProgram } from "./StaticProgram.tsx";

const MonacoEditor = lazy(async () => ({
  default: (await import("./MonacoEditor.tsx")).MonacoEditor,
}));

const tabs = [
  ["program", "Program"],
  ["outline", "Outline"],
] as const;

/** The text of the plan, or its outline, and what is wrong with it. */
export function ProgramPanel({ screen }: { readonly screen: Screen }) {
  const tab = useApp((state) => state.programTab);
  const show = useApp((state) => state.showProgramTab);
  const hasTabs = screen === "wide" || screen === "drawer";
  const isOutline = hasTabs && tab === "outline";
  return (
    <section className="prog" aria-label="Program">
      {hasTabs && (
        <div className="head">
          <TabList
            className="head-tabs"
            label="Program or outline"
            tabs={tabs}
            value={tab}
            onChange={show}
          />
          <span className="sp mut">
            {isOutline ? (
              "Sentences"
            ) : (
              <span title="In the editor, Ctrl M lets Tab leave it">Ctrl M frees Tab</span>
            )}
          </span>
        </div>
      )}
      <Outline isVisible={isOutline} />
      {!isOutline && (
        <div className="code" data-testid="program">
          <PanelBoundary name="The editor" attempt={screen}>
            {hasTabs ? <DesktopEditor /> : <PlainEditor />}
          </PanelBoundary>
        </div>
      )}
      <Problems />
    </section>
  );
}

/** Static text at once; the editor when the page has been painted. */
function DesktopEditor() {
  const [isPainted, setPainted] = useState(false);
  useEffect(() => {
    const handle = requestAnimationFrame(() => setTimeout(() => setPainted(true), 60));
    return () => cancelAnimationFrame(handle);
  }, []);
  if (!isPainted) return <StaticProgram />;
  return (
    <Suspense fallback={<StaticProgram />}>
      <MonacoEditor />
    </Suspense>
  );
}
