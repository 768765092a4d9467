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
  /** The hardware preset; absent keeps the written one. */
  readonly hardware?: string;
  /** Figures in place of the machine's own; absent keeps the written ones. */
  readonly figures?: MachineFigures;
  /** Whether the list of devices is kept; without one they are 0, 1, 2, … */
  readonly keepsDevices: boolean;
}

/** The settings that are to be another text than they are, or none. */
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

/** A device of one's own without the links of axes that go; `undefined` where it has none. */
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
 * The reader's own device after a change: figures keep the machine that they are based on, and a
 * machine whose device gets figures becomes their base.
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

/** The settings of a `Mesh(…)` that nobody has written yet. */
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
