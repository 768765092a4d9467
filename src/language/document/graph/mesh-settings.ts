import {
  assumedMachine,
  hardwareOf,
  type MachineFigures,
  type OwnHardware,
} from "#core/cost/machines";
import { chipText, linksText, ownHardwareText } from "../edit/figures-text.ts";
import type { WrittenMesh } from "../trace/written-layouts.ts";

/** The wanted contents of `Mesh(…)`. */
export interface WantedMesh {
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  /** Hardware preset; absent keeps the written one. */
  readonly hardware?: string;
  /** Figures that replace the machine's own; absent keeps the written ones. */
  readonly figures?: MachineFigures;
  /** Whether the written device list is kept; without one the devices are 0, 1, 2, … */
  readonly keepsDevices: boolean;
}

/** Settings of `Mesh(…)` whose text changes, with the new text; `undefined` removes a setting. */
export function settingTexts(
  written: WrittenMesh,
  { axes, hardware, figures }: WantedMesh,
): ReadonlyMap<string, string | undefined> {
  const { figures: before } = written;
  const names = new Set(axes.map(({ name }) => name));
  const own = hardware === undefined ? ownAfter(written, figures) : undefined;
  if (own !== undefined) {
    return new Map([
      ["hardware", ownHardwareText(own)],
      ["chip", undefined],
      ["links", undefined],
    ]);
  }
  const left =
    figures === undefined && hardware === undefined ? ownWithout(written, names) : undefined;
  const isKept = before?.axisSpans.every(({ axis }) => names.has(axis)) ?? true;
  const links = Object.entries(before?.links ?? {}).filter(([axis]) => names.has(axis));
  const kept = isKept ? undefined : { chip: {}, links: Object.fromEntries(links) };
  return new Map([
    ...(hardware === undefined ? [] : [["hardware", `"${hardware}"`] as const]),
    ...(left === undefined ? [] : [["hardware", ownHardwareText(left)] as const]),
    ...(figures === undefined ? [] : [["chip", chipText(figures)] as const]),
    ...(figures === undefined && kept === undefined
      ? []
      : [["links", linksText(figures ?? kept ?? { chip: {}, links: {} })] as const]),
  ]);
}

/** Custom device without the links of removed axes; `undefined` when nothing changes. */
function ownWithout(
  { hardware }: Pick<WrittenMesh, "hardware">,
  names: ReadonlySet<string>,
): OwnHardware | undefined {
  const { own } = hardware ?? {};
  if (own === undefined) return undefined;
  const links = Object.entries(own.figures.links);
  const kept = links.filter(([axis]) => names.has(axis));
  if (kept.length === links.length) return undefined;
  return { ...own, figures: { ...own.figures, links: Object.fromEntries(kept) } };
}

/**
 * Custom device after a change of figures. Figures keep the machine they are based on; a preset
 * whose device gets figures becomes their base.
 */
function ownAfter(
  { hardware }: Pick<WrittenMesh, "hardware">,
  figures: MachineFigures | undefined,
): OwnHardware | undefined {
  if (figures === undefined) return undefined;
  const { own, machine } = hardware ?? {};
  if (own !== undefined) return { from: own.from, figures };
  if (figures.name === undefined) return undefined;
  const name = machine === undefined ? assumedMachine : hardwareOf(machine).name;
  return { from: { machine: name.replaceAll("×", "x") }, figures };
}

/** Settings for a `Mesh(…)` that is not in the text yet. */
export function newSettings({ hardware, figures }: WantedMesh): readonly string[] {
  const own = hardware === undefined ? ownAfter({}, figures) : undefined;
  if (own !== undefined) return [`hardware=${ownHardwareText(own)}`];
  const [chip, links] = figures === undefined ? [] : [chipText(figures), linksText(figures)];
  return [
    ...(hardware === undefined ? [] : [`hardware="${hardware}"`]),
    ...(chip === undefined ? [] : [`chip=${chip}`]),
    ...(links === undefined ? [] : [`links=${links}`]),
  ];
}
