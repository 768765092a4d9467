import { lazy, Suspense } from "react";
import type { Sheet } from "#app/state";
import { ProjectionSheet } from "../index-space/ProjectionSheet.tsx";
import { PlansSheet } from "../plans/PlansSheet.tsx";
import { SettingsSheet } from "../settings/SettingsSheet.tsx";
import { Palette } from "./Palette.tsx";
import { ShortcutsSheet } from "./ShortcutsSheet.tsx";
import type { TakeTyped } from "./use-typed-ahead.ts";

export { tendPlans } from "../plans/tend-plans.ts";

const WordsSheet = lazy(async () => ({
  default: (await import("../glossary/WordsSheet.tsx")).WordsSheet,
}));

const ResultsSheet = lazy(async () => ({
  default: (await import("../results/ResultsSheet.tsx")).ResultsSheet,
}));

const EditorSheet = lazy(async () => ({
  default: (await import("../lesson-editor/EditorSheet.tsx")).EditorSheet,
}));

interface Props {
  readonly sheet: Sheet;
  readonly takeTyped: TakeTyped;
}

/** The open sheet over the page; nothing is rendered before one is opened. */
export function OpenSheet({ sheet, takeTyped }: Props) {
  switch (sheet) {
    case "palette":
      return <Palette takeTyped={takeTyped} />;
    case "shortcuts":
      return <ShortcutsSheet />;
    case "settings":
      return <SettingsSheet />;
    case "plans":
      return <PlansSheet />;
    case "words":
      return (
        <Suspense fallback={null}>
          <WordsSheet />
        </Suspense>
      );
    case "results":
      return (
        <Suspense fallback={null}>
          <ResultsSheet />
        </Suspense>
      );
    case "editor":
      return (
        <Suspense fallback={null}>
          <EditorSheet />
        </Suspense>
      );
    case "projection":
      return <ProjectionSheet />;
  }
}
