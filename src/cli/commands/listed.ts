import type { Diagnostic } from "#core/diagnostics";
import { blockCount, createLayoutKeys, type Layout } from "#core/mesh";
import { type SliceRow, sliceRows } from "./slice-rows.ts";

/** Most slices and group members in one answer: more takes longer to write than a request may. */
export interface ListLimits {
  readonly slices: number;
  readonly members: number;
}

const listLimits: ListLimits = { slices: 100_000, members: 200_000 };

/** A layout and held boxes, as `sliceRows` takes them. */
type Lie = Parameters<typeof sliceRows>[0];

/** Counts the items of an answer, and reports those left out. */
export class Listing {
  private readonly limits: ListLimits;
  private slices = 0;
  private members = 0;
  private readonly keyOf = createLayoutKeys();
  /** Rows by layout, shape and start: most tensors of a model share theirs with other layers. */
  private readonly rows = new Map<string, readonly SliceRow[]>();
  private readonly unlisted = { tensors: 0, devices: 0, groups: 0 };

  constructor(limits: ListLimits = listLimits) {
    this.limits = limits;
  }

  /** The slices of a tensor; empty when they would exceed the answer's limit. */
  slicesOf(
    lie: Lie,
    shape: readonly number[],
    start: readonly number[] | undefined,
  ): { readonly slices?: readonly SliceRow[] } {
    const rows = rowBound(lie.layout);
    if (this.slices + rows > this.limits.slices) {
      this.unlisted.tensors += 1;
      this.unlisted.devices = Math.max(this.unlisted.devices, lie.layout.mesh.devices.length);
      return {};
    }
    this.slices += rows;
    return { slices: this.rowsOf(lie, shape, start) };
  }

  private rowsOf(
    lie: Lie,
    shape: readonly number[],
    start: readonly number[] | undefined,
  ): readonly SliceRow[] {
    if (lie.held !== undefined) return sliceRows(lie, shape, start);
    const key = `${this.keyOf(lie.layout)} ${shape.join()} ${start?.join()}`;
    const known = this.rows.get(key);
    if (known !== undefined) return known;
    const rows = sliceRows(lie, shape, start);
    this.rows.set(key, rows);
    return rows;
  }

  /** The groups of a step; empty when they would exceed the answer's limit. */
  groupsOf(groups: readonly (readonly number[])[]): {
    readonly groups?: readonly (readonly number[])[];
  } {
    const members = groups.reduce((sum, { length }) => sum + length, 0);
    if (this.members + members > this.limits.members) {
      this.unlisted.groups += 1;
      return {};
    }
    this.members += members;
    return { groups };
  }

  /** Warnings on what is missing, why, and how to get it. */
  diagnostics(): readonly Diagnostic[] {
    const { tensors, devices, groups } = this.unlisted;
    const { slices, members } = this.limits;
    const why = `the slices of ${counted(tensors, "tensor")} are not listed: an answer has at most ${slices} slices, and each tensor has one or more on each of ${devices} devices; "slices" with the name of a tensor lists those of one`;
    const whyNot = `the groups of ${counted(groups, "step")} are not listed: an answer has at most ${members} members of groups in all; use fewer devices`;
    return [
      ...(tensors > 0 ? [leftOut("limits/slices-not-listed", why)] : []),
      ...(groups > 0 ? [leftOut("limits/groups-not-listed", whyNot)] : []),
    ];
  }
}

/** Upper bound on the rows and blocks of a layout. */
export function rowBound(layout: Layout): number {
  const blocks = layout.dims.reduce((product, dim) => product * blockCount(dim.parts), 1);
  return Math.max(blocks, layout.mesh.devices.length);
}

function leftOut(code: DiagnosticCode, message: string): Diagnostic {
  return { code, severity: "warning", message };
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}
