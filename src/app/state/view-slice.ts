import type { StateCreator } from "zustand/vanilla";
import type { Span } from "#core/diagnostics";
import type { OperatorId, TensorId } from "#core/ir";
import type { DeviceId } from "#core/mesh";

/** What is looked at. Nothing is selected by a key that is absent. */
export interface Selection {
  readonly tensor?: TensorId;
  readonly operator?: OperatorId;
  readonly redistribution?: number;
}

export type Theme = "system" | "light" | "dark";
export type TensorDrawing = "whole" | "device";
export type ProgramTab = "program" | "outline";
export type SheetTab = "plan" | "mesh" | "tensor" | "steps" | "program" | "costs";

/** A dim of a tensor, as a target. */
export interface DimTarget {
  readonly tensor: TensorId;
  readonly dim: number;
}

/** An axis chip under the pointer, in page coordinates. */
export interface Drag {
  readonly axis: string;
  readonly x: number;
  readonly y: number;
  readonly over?: DimTarget;
}

/** One sentence for the status line; `refused` says why something was not done. */
export interface Notice {
  readonly kind: "said" | "refused";
  readonly text: string;
}

export interface ViewSlice {
  readonly selection: Selection;
  readonly hoveredDevice: DeviceId | undefined;
  readonly pinnedDevice: DeviceId | undefined;
  readonly armedAxis: string | undefined;
  readonly drag: Drag | undefined;
  /** Position in the step view, counted over all its frames. */
  readonly frame: number;
  readonly theme: Theme;
  readonly tensorDrawing: TensorDrawing;
  readonly programTab: ProgramTab;
  readonly sheetTab: SheetTab;
  readonly isDrawerOpen: boolean;
  readonly notice: Notice | undefined;
  /** The place of the text to show in the editor; another object each time it is asked for. */
  readonly revealed: { readonly span: Span } | undefined;
  readonly select: (selection: Selection) => void;
  readonly hoverDevice: (device: DeviceId | undefined) => void;
  readonly pinDevice: (device: DeviceId) => void;
  /** Shows a tensor as one device holds it. */
  readonly showOn: (tensor: TensorId, device: DeviceId) => void;
  readonly armAxis: (axis: string | undefined) => void;
  readonly dragTo: (drag: Drag | undefined) => void;
  readonly showFrame: (frame: number) => void;
  readonly setTheme: (theme: Theme) => void;
  readonly drawTensors: (drawing: TensorDrawing) => void;
  readonly showProgramTab: (tab: ProgramTab) => void;
  readonly showSheet: (tab: SheetTab) => void;
  readonly openDrawer: (isOpen: boolean) => void;
  readonly say: (notice: Notice | undefined) => void;
  /** Shows a place of the text: opens the editor and puts the caret there. */
  readonly reveal: (span: Span) => void;
}

/** What is looked at and how; nothing of it is undone or travels in a plan. */
export function viewSlice(theme: Theme): StateCreator<ViewSlice> {
  return (set) => ({
    selection: {},
    hoveredDevice: undefined,
    pinnedDevice: undefined,
    armedAxis: undefined,
    drag: undefined,
    frame: 1,
    theme,
    tensorDrawing: "whole",
    programTab: "program",
    sheetTab: "plan",
    isDrawerOpen: false,
    notice: undefined,
    revealed: undefined,
    select: (selection) =>
      set((state) => ({
        selection: { ...keptOf(state.selection, selection), ...selection },
        ...(selection.redistribution !== undefined && { frame: 1 }),
      })),
    hoverDevice: (hoveredDevice) => set({ hoveredDevice }),
    pinDevice: (device) =>
      set((state) => ({ pinnedDevice: state.pinnedDevice === device ? undefined : device })),
    showOn: (tensor, device) =>
      set((state) => ({
        selection: { ...keptOf(state.selection, {}), tensor },
        pinnedDevice: device,
        sheetTab: "tensor",
      })),
    armAxis: (armedAxis) => set({ armedAxis, notice: undefined }),
    dragTo: (drag) => set({ drag }),
    showFrame: (frame) => set({ frame }),
    setTheme: (next) => set({ theme: next }),
    drawTensors: (tensorDrawing) => set({ tensorDrawing }),
    showProgramTab: (programTab) => set({ programTab }),
    showSheet: (sheetTab) => set({ sheetTab }),
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

/** A tensor or an operator leaves the step view where it is; an operator is left by all else. */
function keptOf(before: Selection, next: Selection): Selection {
  const { redistribution } = before;
  return next.redistribution === undefined && redistribution !== undefined
    ? { redistribution }
    : {};
}
