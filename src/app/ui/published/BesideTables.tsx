import { drawn } from "#app/state";
import {
  besideMeasured,
  type CompiledCollective,
  laidBeside,
  type MeasuredSteps,
  modelledSteps,
  ownCollectives,
} from "#systems/published";
import { RowsTable } from "../atoms/RowsTable.tsx";
import { useApp } from "../store-context.tsx";
import { compiledTables, measuredTables } from "./beside-tables.ts";

/** Collectives of a compiled program beside those of the plan on screen. */
export function CompiledTables({
  collectives,
}: {
  readonly collectives: readonly CompiledCollective[];
}) {
  const program = useApp(drawn)?.program;
  if (program === undefined) return null;
  const tables = compiledTables(laidBeside(collectives, ownCollectives(program)));
  return (
    <section className="beside" aria-label="What XLA inserted" data-testid="xla-beside">
      {tables.map((table) => (
        <RowsTable key={table.caption} table={table} />
      ))}
    </section>
  );
}

/** Measured step beside the schedule of the plan on screen. */
export function MeasuredTables({ measured }: { readonly measured: MeasuredSteps }) {
  const compiled = useApp(drawn);
  if (compiled?.schedule === undefined) return null;
  const modelled = modelledSteps(compiled.program, compiled.schedule);
  return (
    <section className="beside" aria-label="Measured beside modelled" data-testid="measured-beside">
      {measuredTables(besideMeasured(measured, modelled)).map((table) => (
        <RowsTable key={table.caption} table={table} />
      ))}
    </section>
  );
}
