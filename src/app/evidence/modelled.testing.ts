import { type Compiled, compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { flatSteps } from "#core/program";
import { groupedBy } from "#core/records";
import type { HeldFigures } from "./kinds.ts";
import { type EvidenceRow, heldOf, type Modelled } from "./modelled.ts";
import { groups, type MeasuredRow, measuredRows } from "./rows.ts";

/** The model's figures for every measured row, and the nets whose parameter count differs. */
export function priceAll(): { readonly figures: Modelled; readonly miscounted: readonly string[] } {
  const compiled = new Map<string, Compiled>();
  const of = (program: string) => {
    const known = compiled.get(program) ?? compile(program);
    compiled.set(program, known);
    return known;
  };
  const rows = measuredRows();
  const figures = Object.fromEntries(
    groups.map((group) => [
      group,
      Object.fromEntries(
        rows.filter((row) => row.group === group).map((row) => [row.name, figureOf(row, of)]),
      ),
    ]),
  );
  const miscounted = rows.flatMap(({ name, parameters, program }) => {
    if (parameters === undefined || program === undefined) return [];
    const counted = of(program).modules?.get("net");
    return counted === parameters ? [] : [`${name}: ${counted}, measured ${parameters}`];
  });
  return { figures, miscounted };
}

/** The model's errors by group, and for published steps also by chip. */
export function heldFigures(rows: readonly EvidenceRow[]): Readonly<Record<string, HeldFigures>> {
  const keyOf = ({ group, family }: EvidenceRow) => `${group} / ${family}`;
  const published = rows.filter(({ group }) => group === "published steps");
  const parts = [...groupedBy(rows, ({ group }) => group), ...groupedBy(published, keyOf)];
  return Object.fromEntries(
    parts.map(([key, part]) => {
      const { count, median, ninth } = heldOf(part);
      return [key, { count, median: rounded(median), ninth: rounded(ninth) }];
    }),
  );
}

function rounded(share: number): number | null {
  return Number.isNaN(share) ? null : Number(share.toPrecision(3));
}

function figureOf(row: MeasuredRow, of: (program: string) => Compiled): number | null {
  if (row.program === undefined) return null;
  const compiled = of(row.program);
  if (hasErrors(compiled.diagnostics)) return null;
  const { cost, memory } = compiled;
  const figure =
    row.part === "update"
      ? secondsOf(compiled, row.part)
      : row.quantity === "seconds"
        ? cost.seconds
        : memory[row.quantity];
  return Number.isFinite(figure) ? Number(figure.toPrecision(4)) : null;
}

/** Seconds of the operators of one phase. */
function secondsOf({ cost, program }: Compiled, phase: string): number {
  const steps = flatSteps(program).filter((step) => step.kind === "local" && step.phase === phase);
  const counted = new Set<string>(steps.map((step) => ("operator" in step ? step.operator : "")));
  return cost.operators
    .filter(({ operator }) => counted.has(operator))
    .reduce((sum, { seconds }) => sum + seconds, 0);
}
