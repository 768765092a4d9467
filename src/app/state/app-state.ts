import type { AlternativesSlice } from "./alternatives-slice.ts";
import type { BoardSlice } from "./board-slice.ts";
import type { BodiesSlice } from "./bodies-slice.ts";
import type { CompareSlice } from "./compare-slice.ts";
import type { CompiledSlice } from "./compiled-slice.ts";
import type { DocumentSlice } from "./document-slice.ts";
import type { EvidenceSlice } from "./evidence-slice.ts";
import type { GallerySlice } from "./gallery-slice.ts";
import type { GestureSlice } from "./gesture-slice.ts";
import type { GuideSlice } from "./guide-slice.ts";
import type { LessonSlice } from "./lesson-slice.ts";
import type { LinkSlice } from "./link-slice.ts";
import type { PaletteSlice } from "./palette-slice.ts";
import type { PlaceSlice } from "./place-slice.ts";
import type { PlannerSlice } from "./planning/planning.ts";
import type { PoliciesSlice } from "./policies-slice.ts";
import type { PresentSlice } from "./present-slice.ts";
import type { PublishedSlice } from "./published-slice.ts";
import type { RecomputeSlice } from "./recompute-slice.ts";
import type { RunSlice } from "./run/run-slice.ts";
import type { SettingsSlice } from "./settings-slice.ts";
import type { ShareSlice } from "./share-slice.ts";
import type { TextsSlice } from "./texts-slice.ts";
import type { UpstreamRunSlice } from "./upstream-run-slice.ts";
import type { ViewSlice } from "./view-slice.ts";

/** The whole state of the page: the data that panels read, and the actions of each slice. */
export type AppState = DocumentSlice &
  TextsSlice &
  CompiledSlice &
  ViewSlice &
  PlaceSlice &
  LessonSlice &
  LinkSlice &
  BoardSlice &
  GestureSlice &
  GuideSlice &
  AlternativesSlice &
  UpstreamRunSlice &
  CompareSlice &
  GallerySlice &
  EvidenceSlice &
  RecomputeSlice &
  SettingsSlice &
  PaletteSlice &
  PoliciesSlice &
  PlannerSlice &
  ShareSlice &
  PresentSlice &
  RunSlice &
  PublishedSlice &
  BodiesSlice;
