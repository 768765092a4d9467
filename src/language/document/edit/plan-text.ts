import type { Graph, OperatorId, TensorId } from "#core/ir";
import { axisNames, type DeviceMesh, type DimLayout, type Part } from "#core/mesh";
import type { Plan } from "#core/plan";

/**
 * A plan as native statements for a graph without a text: the mesh, the strategies of all operators
 * and the requested layouts. Cuts over parts of axes have no notation and are left out.
 */
export function planTextOf(graph: Graph, mesh: DeviceMesh, plan: Plan): string {
  const { axes, devices } = mesh;
  if (axes.length === 0) return "";
  const names = new Map<OperatorId | TensorId, string>();
  for (const { id, name } of [...graph.operators, ...graph.tensors]) {
    names.set(id, name);
  }
  const axesOf = (parts: readonly Part[]) => writtenAxes(axisNames(parts, mesh) ?? []);
  const isInOrder = devices.every((device, at) => device === at);
  const settings = [
    ...axes.map(({ name, size }) => `${name}=${size}`),
    ...(isInOrder ? [] : [`devices=[${devices.join(", ")}]`]),
  ];
  const strategies = [...plan.operators].flatMap(([id, { strategy, status }]) => {
    const cuts = Object.entries(strategy.cuts).flatMap(([name, parts]) => {
      const text = axesOf(parts);
      return text === undefined ? [] : [{ name, text }];
    });
    if (cuts.length > 0) return [`strategy(${quoted(names.get(id))}, ${cutsText(cuts)})`];
    return status === "set" ? [`strategy(${quoted(names.get(id))})`] : [];
  });
  const dimText = ({ parts }: DimLayout) => axesOf(parts) ?? '"None"';
  const places = [...plan.placements].flatMap(([id, { layout, status }]) => {
    if (status !== "set" || layout.dims.length === 0) return [];
    return [`place(${quoted(names.get(id))}, layout(${layout.dims.map(dimText).join(", ")}))`];
  });
  return [`mesh = Mesh(${settings.join(", ")})`, ...strategies, ...places, ""].join("\n");
}

/**
 * Cuts as arguments of `strategy(…)`: `m="dp", k="mp"`, or a dict when a name cannot be a keyword.
 */
export function cutsText(
  cuts: readonly { readonly name: string; readonly text: string }[],
): string {
  const isPlain = cuts.every(({ name }) => /^[a-zA-Z_]\w*$/.test(name) && !reserved.has(name));
  if (isPlain) return cuts.map(({ name, text }) => `${name}=${text}`).join(", ");
  return `{${cuts.map(({ name, text }) => `${quoted(name)}: ${text}`).join(", ")}}`;
}

/** Identifiers that cannot be keywords of `strategy(…)`. */
const reserved: ReadonlySet<string> = new Set([
  ...["and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif"],
  ...["else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda"],
  ...["nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield"],
  ...["None", "True", "False", "carry"],
]);

/** Mesh axes as a Python value: `"dp"` or `("dp", "mp")`; `undefined` without axes. */
export function writtenAxes(axes: readonly string[]): string | undefined {
  if (axes.length === 0) return undefined;
  return axes.length === 1 ? quoted(axes[0]) : `(${axes.map(quoted).join(", ")})`;
}

/** A name as a Python string. */
export function quoted(name: string | undefined): string {
  return JSON.stringify(name ?? "");
}
