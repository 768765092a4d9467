import type { StateCreator } from "zustand/vanilla";
import type { Span } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";
import type { DimGesture } from "#edit";
import { noReaders, type Readers } from "./shown-states.ts";

/** The user's selection; an absent key means that nothing of that kind is selected. */
export interface Selection {
  readonly tensor?: TensorId;
  readonly operator?: OperatorId;
  readonly redistribution?: number;
}

/** Colour theme; `system` follows the browser. */
export type Theme = "system" | "light" | "dark";
/** Order of devices: by mesh axes (`logical`), or by id within their nodes (`physical`). */
export type DeviceOrder = "logical" | "physical";
export type TensorDrawing = "whole" | "device";
export type ProgramTab = "program" | "outline";
/** A tab of the sheet that replaces the side panels on tablets and phones. */
export type SheetTab =
  | "plan"
  | "mesh"
  | "tensor"
  | "planner"
  | "steps"
  | "run"
  | "program"
  | "costs";

/**
 * Panel under the canvas of a wide screen: one redistribution at a time, or the timeline of the
 * whole step.
 */
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
  /** The dim that the chip was dragged from; absent if it came from the mesh. */
  readonly from?: DimTarget;
  /** The tensor that has partial sums over the axis. */
  readonly sumOf?: TensorId;
  readonly over?: DimTarget;
  /** The gesture that a drop on this dim makes. */
  readonly gesture?: DimGesture;
  /** The axis order that a drop on the mesh makes. */
  readonly order?: readonly string[];
}

/** Scale of the drawn graph. */
export interface GraphZoom {
  readonly percent: number;
  /** Whether the scale is requested and not yet applied. */
  readonly isWanted: boolean;
}

/** One sentence for the status line; `refused` gives the reason why an action was not done. */
export interface Notice {
  readonly kind: "said" | "refused";
  readonly text: string;
  /** A possible alternative to the refused action. */
  readonly instead?: { readonly gesture: DimGesture; readonly label: string };
}

export interface ViewSlice {
  readonly selection: Selection;
  /** The latest pick of the user; a new object per pick. */
  readonly chosen: Selection | undefined;
  /** Inputs and parameters shown and edited in the layout that a reader holds. */
  readonly readers: Readers;
  readonly hoveredDevice: DeviceId | undefined;
  readonly pinnedDevice: DeviceId | undefined;
  /** The second pinned device; data that both devices hold is shown. */
  readonly comparedDevice: DeviceId | undefined;
  /** The axis whose groups are shown, while its chip is under the pointer or has the focus. */
  readonly focusedAxis: string | undefined;
  readonly deviceOrder: DeviceOrder;
  readonly armedAxis: string | undefined;
  readonly drag: Drag | undefined;
  /** Position in the step view, counted over all its frames. */
  readonly frame: number;
  /**
   * The operator shown in the step view, by its index among all steps of the program; `undefined`
   * if a redistribution is shown.
   */
  readonly playedStep: number | undefined;
  readonly isPlaying: boolean;
  /** Drawing of collectives: as a whole (`logical`), or hop by hop around a ring. */
  readonly hops: "logical" | "ring";
  /** Scale of the graph; `undefined` if it is fitted to the pane. */
  readonly zoom: GraphZoom | undefined;
  readonly theme: Theme;
  readonly tensorDrawing: TensorDrawing;
  readonly programTab: ProgramTab;
  readonly sheetTab: SheetTab;
  /** The panel under the canvas; `undefined` until the user chooses, so that the plan decides. */
  readonly lowerTab: LowerTab | undefined;
  readonly isDrawerOpen: boolean;
  readonly notice: Notice | undefined;
  /** The span to show in the editor; a new object per request. */
  readonly revealed: { readonly span: Span } | undefined;
  readonly select: (selection: Selection) => void;
  readonly hoverDevice: (device: DeviceId | undefined) => void;
  /** Pins a device; a third replaces the second. */
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

/** The initial view. */
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

/** State of the view; it is neither part of the undo history nor of a shared plan. */
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

/**
 * The part of the old selection that stays. A shown redistribution stays selected beside a new
 * tensor or operator; an operator or tensor never stays.
 */
function keptOf(before: Selection, next: Selection): Selection {
  const { redistribution } = before;
  return next.redistribution === undefined && redistribution !== undefined
    ? { redistribution }
    : {};
}
