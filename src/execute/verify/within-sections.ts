import { operatorsById, type TensorId, tensorsById } from "#core/ir";
import { flatSteps, type LocalStep, type SpmdProgram } from "#core/program";
import type { Leaves } from "#execute/engine";

/** The rows of a table in which one piece of the indices' columns is looked up. */
interface Sections {
  /** The start and length of each section, in rows. */
  readonly rows: readonly (readonly [start: number, count: number])[];
  readonly columns: number;
}

/**
 * Drawn indices for tables whose rows are cut by hand (`manual_split`). Every device looks up its
 * columns in its own rows only, so indices are drawn from those rows. The reader's own values are
 * kept.
 */
export function withinSections(program: SpmdProgram, leaves: Leaves): Leaves {
  const found = sectionsOf(program);
  if (found.size === 0) return leaves;
  return new Map(
    [...leaves].map(([id, leaf]) => {
      const sections = found.get(id);
      if (sections === undefined || leaf.draw === undefined) return [id, leaf];
      return [id, { values: leaf.values.map((value, at) => inside(sections, value, at)) }];
    }),
  );
}

function inside({ rows, columns }: Sections, value: number, at: number): number {
  const piece = Math.floor(((at % columns) * rows.length) / columns);
  const [start, count] = rows[piece] ?? [0, 1];
  return start + (value % count);
}

function sectionsOf(program: SpmdProgram): ReadonlyMap<TensorId, Sections> {
  const operators = operatorsById(program.graph);
  const tensors = tensorsById(program.graph);
  return new Map(
    flatSteps(program).flatMap((step): readonly (readonly [TensorId, Sections])[] => {
      const sizes = step.kind === "local" ? rowsOf(step) : undefined;
      if (step.kind !== "local" || sizes === undefined) return [];
      const indices = operators.get(step.operator)?.inputs[1]?.tensor;
      const columns = indices && tensors.get(indices)?.shape.at(-1);
      if (indices === undefined || columns === undefined || columns === 0) return [];
      let start = 0;
      const rows = sizes.map((count) => {
        const section = [start, count] as const;
        start += count;
        return section;
      });
      return [[indices, { rows, columns }]];
    }),
  );
}

/** The lengths of the blocks into which a step cuts the rows of its table by hand. */
function rowsOf({ unverified }: LocalStep): readonly number[] | undefined {
  const axes = Object.values(unverified?.axes ?? {});
  return axes.find(({ sizes }) => sizes !== undefined)?.sizes;
}
