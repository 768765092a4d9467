import { type Compiled, shownLayout } from "#compile";
import { localShape, printMesh } from "#core/mesh";
import { type FlatStep, flatSteps } from "#core/program";
import { playedIndex, playedSteps } from "../player/played-steps.ts";
import { labelText } from "./label.ts";
import { formatBytes, formatSeconds } from "./numbers.ts";
import { heldBytes, stateWords } from "./sentence.ts";
import { shapeWords } from "./shape-words.ts";

/** One table of a plan, as rows of plain text. */
export interface PlanTable {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Indices of the columns with names and layouts, written as code in Markdown. */
  readonly codes: readonly number[];
}

/** The tables of a plan: its figures, every tensor with its layout, every step in order. */
export function planTables(compiled: Compiled): readonly PlanTable[] {
  const { hardware, cost, memory } = compiled;
  return [
    {
      title: "Numbers",
      head: ["per device", "model"],
      rows: [
        ["memory", `${formatBytes(memory.peakBytes)} of ${formatBytes(hardware.memoryBytes)}`],
        ["communication", formatBytes(cost.bytes)],
        ["time", formatSeconds(cost.seconds)],
        ["compute", formatSeconds(cost.computeSeconds)],
        ["sending", formatSeconds(cost.communicationSeconds)],
      ],
      codes: [],
    },
    {
      title: "Tensors",
      head: ["tensor", "dtype", "shape", "layout", "status", "each device holds", "bytes"],
      rows: tensorRows(compiled),
      codes: [0, 3],
    },
    {
      title: "Steps",
      head: ["step", "what", "groups", "bytes", "time", "runs"],
      rows: stepRows(compiled),
      codes: [1],
    },
  ];
}

/** The mesh and the hardware of a plan: `Mesh dp=2,mp=2, A100 40 GB.` */
export function planHead({ mesh, hardware }: Compiled): string {
  return `Mesh ${printMesh(mesh.mesh)}, ${hardware.name}.`;
}

/** The tables of a plan as Markdown. */
export function planMarkdown(compiled: Compiled): string {
  const tables = planTables(compiled).map(({ head, rows, codes }) =>
    table(
      head,
      rows.map((row) => row.map((cell, at) => (codes.includes(at) ? code(cell) : cell))),
    ),
  );
  return `${[planHead(compiled), ...tables].join("\n\n")}\n`;
}

function tensorRows({ tensors, program }: Compiled): readonly (readonly string[])[] {
  const all = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  return tensors.flatMap((view) => {
    const tensor = all.get(view.tensor);
    if (tensor === undefined) return [];
    const layout = shownLayout(view);
    return [
      [
        tensor.name,
        tensor.dtypeText,
        shapeWords(tensor),
        labelText(layout, tensor.dimNames),
        `${view.status}${stateWords(view)}`,
        shapeWords({ ...tensor, shape: localShape(layout, tensor.shape) }),
        formatBytes(heldBytes(tensor, layout)),
      ],
    ];
  });
}

function stepRows({ program }: Compiled): readonly (readonly string[])[] {
  const flat = flatSteps(program);
  return playedSteps(program).map((stop, at) => {
    const step = flat[playedIndex(stop, 0)];
    const runs = `${stop.count * stop.microbatches}`;
    return [`${at + 1}`, stop.title, ...figuresOf(step), runs];
  });
}

function figuresOf(step: FlatStep | undefined): readonly string[] {
  if (step?.kind !== "collective") return ["", "", ""];
  const groups = step.groups
    .slice(0, 4)
    .map((group) => `{${group.slice(0, 8).join(", ")}${group.length > 8 ? ", …" : ""}}`);
  const rest = step.groups.length > 4 ? `, ${step.groups.length - 4} more` : "";
  return [`${groups.join(" ")}${rest}`, formatBytes(step.bytes), formatSeconds(step.seconds)];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const written = [head, head.map(() => "---"), ...rows];
  return written.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** Inline code; `|` is escaped, since it would end the cell. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}
