import type { StateCreator } from "zustand/vanilla";
import type { Span } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { DimGesture } from "#edit";
import { noReaders, type Readers } from "./shown-states.ts";

/** What the reader has selected; each key that is absent has no selection. */
export interface Selection {
  readonly tensor?: TensorId;
  readonly operator?: OperatorId;
  readonly redistribution?: number;
}

/** The colours of the page; `system` follows the browser. */
export type Theme = "system" | "light" | "dark";
/** Devices as the axes nest them, or by their ids in their nodes. */
export type DeviceOrder = "logical" | "physical";
export type TensorDrawing = "whole" | "device";
export type ProgramTab = "program" | "outline";
/** A tab of the sheet that tablets and phones show instead of side panels. */
export type SheetTab =
  | "plan"
  | "mesh"
  | "tensor"
  | "planner"
  | "steps"
  | "run"
  | "program"
  | "costs";

/** Under the canvas of a wide screen: one redistribution at a time, or the whole step in time. */
export type LowerTab = "steps" | "time";

/** A dim of a tensor, as the target of a gesture. */
export interface DimTarget {
  readonly tensor: TensorId;
  readonly dim: number;
}

/** An axis chip under the pointer, in page coordinates. */
export interface Drag {
  readonly axis: string;
  readonly x: number;
  readonly y: number;
  /** The dim that it was taken from; absent of an axis of the mesh. */
  readonly from?: DimTarget;
  /** The tensor whose parts lie over the axis. */
  readonly sumOf?: TensorId;
  readonly over?: DimTarget;
  /** The effect of a drop here on a dim. */
  readonly gesture?: DimGesture;
  /** The effect of a drop here on the mesh: the new order of its axes. */
  readonly order?: readonly string[];
}

/** How large the graph is drawn. */
export interface GraphZoom {
  readonly percent: number;
  /** Whether a view asks for it, and it is still to be shown. */
  readonly isWanted: boolean;
}

/** One sentence for the status line; `refused` says why something was not done. */
export interface Notice {
  readonly kind: "said" | "refused";
  readonly text: string;
  /** A possible action in place of the refused one. */
  readonly instead?: { readonly gesture: DimGesture; readonly label: string };
}

export interface ViewSlice {
  readonly selection: Selection;
  /** What the reader has picked last; another object each time. */
  readonly chosen: Selection | undefined;
  /** Inputs and parameters that are drawn, named and edited as a reader holds them. */
  readonly readers: Readers;
  readonly hoveredDevice: DeviceId | undefined;
  readonly pinnedDevice: DeviceId | undefined;
  /** A second pin: what it has in common with the first is shown. */
  readonly comparedDevice: DeviceId | undefined;
  /** The axis whose groups are shown, while its chip is under the pointer or has the focus. */
  readonly focusedAxis: string | undefined;
  readonly deviceOrder: DeviceOrder;
  readonly armedAxis: string | undefined;
  readonly drag: Drag | undefined;
  /** Position in the step view, counted over all its frames. */
  readonly frame: number;
  /**
   * The operator at which the step view stands, by its place among all steps of the program;
   * `undefined` at a redistribution.
   */
  readonly playedStep: number | undefined;
  readonly isPlaying: boolean;
  /** How collectives are shown: as a whole, or hop by hop around a ring. */
  readonly hops: "logical" | "ring";
  /** How large the graph is drawn, where that is not what fits. */
  readonly zoom: GraphZoom | undefined;
  readonly theme: Theme;
  readonly tensorDrawing: TensorDrawing;
  readonly programTab: ProgramTab;
  readonly sheetTab: SheetTab;
  /** The panel under the canvas; by the plan until the reader chooses. */
  readonly lowerTab: LowerTab | undefined;
  readonly isDrawerOpen: boolean;
  readonly notice: Notice | undefined;
  /** The place of the text to show in the editor; another object each time it is asked for. */
  readonly revealed: { readonly span: Span } | undefined;
  readonly select: (selection: Selection) => void;
  readonly hoverDevice: (device: DeviceId | undefined) => void;
  /** Pins a first and a second device; a third takes the place of the second. */
  readonly pinDevice: (device: DeviceId) => void;
  readonly focusAxis: (axis: string | undefined) => void;
  readonly orderDevices: (order: DeviceOrder) => void;
  /** Shows a tensor as one device holds it. */
  readonly showOn: (tensor: TensorId, device: DeviceId) => void;
  readonly armAxis: (axis: string | undefined) => void;
  readonly dragTo: (drag: Drag | undefined) => void;
  readonly showFrame: (frame: number) => void;
  readonly playStep: (place: number) => void;
  readonly play: (isPlaying: boolean) => void;
  readonly showHops: (hops: "logical" | "ring") => void;
  readonly zoomGraph: (zoom: GraphZoom | undefined) => void;
  readonly setTheme: (theme: Theme) => void;
  readonly drawTensors: (drawing: TensorDrawing) => void;
  readonly showProgramTab: (tab: ProgramTab) => void;
  readonly showSheet: (tab: SheetTab) => void;
  readonly showLower: (tab: LowerTab) => void;
  readonly openDrawer: (isOpen: boolean) => void;
  readonly say: (notice: Notice | undefined) => void;
  /** Shows a place of the text: opens the editor and puts the caret there. */
  readonly reveal: (span: Span) => void;
}

/** The view before the reader has done anything. */
const untouched = {
  selection: {},
  chosen: undefined,
  readers: noReaders,
  hoveredDevice: undefined,
  pinnedDevice: undefined,
  comparedDevice: undefined,
  focusedAxis: undefined,
  deviceOrder: "logical",
  armedAxis: undefined,
  drag: undefined,
  frame: 1,
  playedStep: undefined,
  isPlaying: false,
  hops: "logical",
  zoom: undefined,
  tensorDrawing: "whole",
  programTab: "program",
  sheetTab: "plan",
  lowerTab: undefined,
  isDrawerOpen: false,
  notice: undefined,
  revealed: undefined,
} satisfies Partial<ViewSlice>;

/** The view of the plan; none of it is undone or travels with a plan. */
export function viewSlice(theme: Theme): StateCreator<ViewSlice> {
  return (set) => ({
    ...untouched,
    theme,
    select: (selection) =>
      set((state) => ({
        selection: { ...keptOf(state.selection, selection), ...selection },
        chosen: { ...selection },
        ...(selection.redistribution !== undefined && { frame: 1, playedStep: undefined }),
      })),
    hoverDevice: (hoveredDevice) => set({ hoveredDevice }),
    pinDevice: (device) => set((state) => pinned(state, device)),
    focusAxis: (focusedAxis) => set({ focusedAxis }),
    orderDevices: (deviceOrder) => set({ deviceOrder }),
    showOn: (tensor, device) =>
      set((state) => ({
        selection: { ...keptOf(state.selection, {}), tensor },
        pinnedDevice: device,
        comparedDevice: undefined,
        sheetTab: "tensor",
      })),
    armAxis: (armedAxis) => set({ armedAxis, notice: undefined }),
    dragTo: (drag) => set({ drag }),
    zoomGraph: (zoom) => set({ zoom }),
    showFrame: (frame) => set({ frame }),
    playStep: (playedStep) => set({ playedStep }),
    play: (isPlaying) => set({ isPlaying }),
    showHops: (hops) => set({ hops, frame: 1 }),
    setTheme: (next) => set({ theme: next }),
    drawTensors: (tensorDrawing) => set({ tensorDrawing }),
    showProgramTab: (programTab) => set({ programTab }),
    showSheet: (sheetTab) => set({ sheetTab }),
    showLower: (lowerTab) => set({ lowerTab }),
    openDrawer: (isDrawerOpen) => set({ isDrawerOpen }),
    say: (notice) => set({ notice }),
    reveal: (span) =>
      set({
        revealed: { span },
        programTab: "program",
        sheetTab: "program",
        isDrawerOpen: true,
      }),
  });
}

type Pins = Pick<ViewSlice, "pinnedDevice" | "comparedDevice">;

function pinned({ pinnedDevice: first, comparedDevice: second }: Pins, device: DeviceId): Pins {
  if (device === first) return { pinnedDevice: second, comparedDevice: undefined };
  if (device === second) return { pinnedDevice: first, comparedDevice: undefined };
  if (first === undefined) return { pinnedDevice: device, comparedDevice: undefined };
  return { pinnedDevice: first, comparedDevice: device };
}

/** A tensor or an operator leaves the step view where it is; an operator is left by all else. */
function keptOf(before: Selection, next: Selection): Selection {
  const { redistribution } = before;
  return next.redistribution === undefined && redistribution !== undefined
    ? { redistribution }
    : {};
}
