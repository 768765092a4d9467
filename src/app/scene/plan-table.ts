import type { Compiled } from "#compile";
import { localShape, printMesh } from "#core/mesh";
import { type FlatStep, flatSteps } from "#core/program";
import { labelText } from "./label.ts";
import { formatBytes, formatSeconds } from "./numbers.ts";
import { placeOf, playedSteps } from "./played-steps.ts";
import { heldBytes } from "./sentence.ts";

/** The plan as Markdown: what it costs, every tensor with its layout, every step in order. */
export function planTable(compiled: Compiled): string {
  const { mesh, hardware, cost, memory } = compiled;
  const parts = [
    `Mesh ${printMesh(mesh.mesh)}, ${hardware.name}.`,
    table(
      ["per device", "model"],
      [
        ["memory", `${formatBytes(memory.peakBytes)} of ${formatBytes(hardware.memoryBytes)}`],
        ["communication", formatBytes(cost.bytes)],
        ["time", formatSeconds(cost.seconds)],
        ["compute", formatSeconds(cost.computeSeconds)],
        ["sending", formatSeconds(cost.communicationSeconds)],
      ],
    ),
    table(
      ["tensor", "dtype", "shape", "layout", "status", "each device holds", "bytes"],
      tensorRows(compiled),
    ),
    table(["step", "what", "groups", "bytes", "time", "runs"], stepRows(compiled)),
  ];
  return `${parts.join("\n\n")}\n`;
}

function tensorRows({ tensors, program }: Compiled): readonly (readonly string[])[] {
  const all = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  return tensors.flatMap(({ tensor: id, layout: held, atRest, status }) => {
    const tensor = all.get(id);
    if (tensor === undefined) return [];
    const layout = atRest ?? held;
    return [
      [
        code(tensor.name),
        tensor.dtypeText,
        tensor.shape.join(" × "),
        code(labelText(layout, tensor.dimNames)),
        status,
        localShape(layout, tensor.shape).join(" × "),
        formatBytes(heldBytes(tensor, layout)),
      ],
    ];
  });
}

function stepRows({ program }: Compiled): readonly (readonly string[])[] {
  const flat = flatSteps(program);
  return playedSteps(program).map((stop, at) => {
    const step = flat[placeOf(stop, 0)];
    const runs = stop.count === 1 ? "1" : `×${stop.count}`;
    return [`${at + 1}`, code(stop.title), ...figuresOf(step), runs];
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

/** Inline code; a bar would end the cell. */
function code(text: string): string {
  return `\`${text.replaceAll("`", "'").replaceAll("|", "\\|")}\``;
}
