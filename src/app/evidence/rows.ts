import h100 from "./data/h100.json" with { type: "json" };
import published from "./data/published.json" with { type: "json" };
import { compiledProgram, dimNames, hasBackward, operatorProgram } from "./program-text.ts";

/** Groups of rows that are compared with the model together, in display order. */
export const groups = [
  "operators",
  "operators with a backward pass",
  "steps",
  "steps that the host limits",
  "compiled steps",
  "published steps",
  "peak memory",
  "memory after the forward pass",
  "published memory",
] as const;

export type Group = (typeof groups)[number];

/** The measured quantity of a row, by the model's name for it. */
export type Quantity = "seconds" | "peakBytes" | "afterForwardBytes";

/** One measured figure, and the program that the model evaluates for it. */
export interface MeasuredRow {
  readonly group: Group;
  /** Rows of one family share a kernel or a kind of net. */
  readonly family: string;
  readonly name: string;
  readonly quantity: Quantity;
  /** Measured value in seconds or bytes. */
  readonly measured: number;
  /** Parameter count of the net, if it was counted. */
  readonly parameters?: number;
  /** Author, place and method of the measurement. */
  readonly source: string;
  /** Run settings, as stated by the source or assumed. */
  readonly settings?: string;
  /** The measured program; absent if it was not published. */
  readonly program?: string;
  /** Set if the row covers only the optimizer. */
  readonly part?: "update";
}

const here = `${h100.device}; ${h100.software}`;

/** All stored measurements, in the order of the groups. */
export function measuredRows(): readonly MeasuredRow[] {
  const rows = [...operatorRows(), ...stepRows(), ...compiledRows(), ...publishedRows()];
  return groups.flatMap((group) => rows.filter((row) => row.group === group));
}

function operatorRows(): readonly MeasuredRow[] {
  return h100.operators.flatMap(({ op, dtype, rows }) =>
    rows.map((row) => {
      const shape = row.slice(0, -1);
      const isPlain = !hasBackward(op) && !["adamw", "dropout"].includes(op);
      return {
        group: isPlain && ["bf16", "f32"].includes(dtype) ? groups[0] : groups[1],
        family: op,
        name: `${op} ${shape.join("×")} ${dtype}`,
        quantity: "seconds",
        measured: (row.at(-1) ?? Number.NaN) / 1e6,
        source: here,
        settings: dimNames(op)
          .map((dim, at) => `${dim} ${shape[at]}`)
          .join(", "),
        program: operatorProgram({ op, dtype, shape }, h100.chip),
        ...(op === "adamw" && { part: "update" }),
      } satisfies MeasuredRow;
    }),
  );
}

function stepRows(): readonly MeasuredRow[] {
  return h100.steps.flatMap((step) => {
    const { name, program, parameters } = step;
    const common = { family: "one device", name, source: here, program, parameters };
    const isHost = "hostLimited" in step;
    return [
      row({ ...common, group: isHost ? groups[3] : groups[2], measured: step.seconds }),
      row({ ...common, group: groups[6], quantity: "peakBytes", measured: step.peak }),
      row({
        ...common,
        group: groups[7],
        quantity: "afterForwardBytes",
        measured: step.afterForward,
      }),
    ];
  });
}

function compiledRows(): readonly MeasuredRow[] {
  const programs = new Map(h100.steps.map(({ name, program }) => [name, program]));
  return h100.compiled.flatMap((step) => {
    const program = programs.get(step.name);
    const common = {
      family: "one device",
      name: `${step.name} compiled`,
      source: here,
      ...(program !== undefined && { program: compiledProgram(program) }),
    };
    const { peak } = step;
    return [
      row({ ...common, group: "compiled steps", measured: step.seconds }),
      ...(peak === undefined
        ? []
        : [row({ ...common, group: "peak memory", quantity: "peakBytes", measured: peak })]),
    ];
  });
}

function publishedRows(): readonly MeasuredRow[] {
  return [
    ...published.steps.map((each) =>
      row({ ...publishedRun(each), group: "published steps", measured: each.seconds }),
    ),
    ...published.memory.map((each) =>
      row({
        ...publishedRun(each),
        ...{ group: "published memory", quantity: "peakBytes", measured: each.peak },
      }),
    ),
  ];
}

interface Run {
  readonly name: string;
  readonly source: string;
  readonly settings: object;
  readonly program: string;
}

function publishedRun({ name, source, settings, program }: Run) {
  const said = Object.entries(settings).filter(([, value]) => typeof value !== "object");
  return {
    family: name.includes("A100") ? "A100" : "H100",
    ...{ name, source, program },
    settings: said.map(([key, value]) => `${key.replaceAll("_", " ")} ${value}`).join(", "),
  };
}

function row(fields: Omit<MeasuredRow, "quantity"> & { quantity?: Quantity }): MeasuredRow {
  return { quantity: "seconds", ...fields };
}
