import loadHighs, { type Highs, type ModelData } from "highs";
import { type LinearProgram, programOf } from "./linear-program.testing.ts";
import type { Network } from "./network.ts";

/** Another solver's answer for a network. */
export type OtherOutcome =
  | { readonly kind: "found"; readonly plan: readonly number[] }
  | { readonly kind: "infeasible" }
  /** The solver ran out of time. */
  | { readonly kind: "stopped" };

/** Another solver of networks; `limit` in bytes, `seconds` of its own time. */
export type SolveOther = (network: Network, limit?: number, seconds?: number) => OtherOutcome;

/**
 * Loads HiGHS as a solver of networks, which it gets as mixed-integer programs (planner.md §4.9).
 */
export async function loadSolver(): Promise<SolveOther> {
  const highs = await loadHighs();
  return (network, limit, seconds = 60) => {
    const program = programOf(network, limit);
    const values = columnValues(highs, modelOf(program), seconds);
    if (typeof values === "string") return { kind: values };
    const plan = program.choices.map(({ first, count }) => {
      const own = values.slice(first, first + count);
      return own.indexOf(Math.max(...own));
    });
    return { kind: "found", plan };
  };
}

function columnValues(
  highs: Highs,
  data: ModelData,
  seconds: number,
): Float64Array | "infeasible" | "stopped" {
  return highs.withModel(data, (model) => {
    model.options.set({ output_flag: false, time_limit: seconds, ...precision });
    model.run();
    const { optimal, infeasible } = highs.constants.modelStatus;
    const status = model.getModelStatus();
    if (status === optimal) return model.getSolution().colValue;
    return status === infeasible ? "infeasible" : "stopped";
  });
}

const precision = {
  mip_rel_gap: 1e-9,
  mip_abs_gap: 1e-9,
  mip_feasibility_tolerance: 1e-9,
  primal_feasibility_tolerance: 1e-9,
};

/** A linear program as sparse columns, scaled so that the largest cost is a thousand. */
function modelOf({ columns, rows }: LinearProgram): ModelData {
  const scale = 1000 / columns.reduce((most, { cost }) => Math.max(most, cost), 1e-300);
  const starts = [0];
  for (const { entries } of columns) starts.push((starts.at(-1) ?? 0) + entries.length);
  const entries = columns.flatMap((column) => column.entries);
  return {
    numRows: rows.length,
    numCols: columns.length,
    colCost: Float64Array.from(columns, ({ cost }) => cost * scale),
    colLower: new Float64Array(columns.length),
    colUpper: new Float64Array(columns.length).fill(1),
    rowLower: Float64Array.from(rows, ({ least }) => least),
    rowUpper: Float64Array.from(rows, ({ most }) => most),
    integrality: Int32Array.from(columns, ({ isInteger }) => Number(isInteger)),
    matrix: {
      format: "csc",
      numRows: rows.length,
      numCols: columns.length,
      starts: Int32Array.from(starts),
      indices: Int32Array.from(entries, ([row]) => row),
      values: Float64Array.from(entries, ([, value]) => value),
    },
  };
}
