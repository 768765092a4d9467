import type { TextEdit } from "#core/diagnostics";
import type { PlanWriting } from "#language/document/bindings";
import { behindImports } from "#language/document/edit";

/** A variable for a layout of the document's mesh, and the edits that define it. */
export interface LayoutName {
  readonly name: string;
  readonly definition: readonly TextEdit[];
}

/**
 * Defines `layout = Layout((2, 4), ("dp", "tp"))` after the imports of a text, under an unused
 * name.
 */
export function layoutName({ source, mesh, boundNames }: PlanWriting): LayoutName {
  const isFree = (name: string) => !new RegExp(`\\b${name}\\b`, "u").test(source);
  const names = ["layout", "mesh_layout", "plan_layout"];
  const name = names.find(isFree) ?? `plan_layout_${source.length}`;
  const at = behindImports(source);
  const imported = boundNames.has("Layout") ? "" : "from mindspore import Layout\n";
  const { axes, devices } = mesh;
  const aliases = axes.map((axis) => `"${axis.name}"`);
  const ranks = devices.every((device, index) => device === index)
    ? ""
    : `, [${devices.join(", ")}]`;
  const sizes = axes.map(({ size }) => String(size));
  const layout = `${name} = Layout(${tuple(sizes)}, ${tuple(aliases)}${ranks})\n`;
  const isBegun = at > 0 && source[at - 1] !== "\n";
  return {
    name,
    definition: [{ from: at, to: at, text: `${isBegun ? "\n" : ""}${imported}\n${layout}` }],
  };
}

function tuple(items: readonly string[]): string {
  return items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`;
}
