import { pythonFunctions } from "#systems/arrays/python";
import source from "./layers.py?raw";
import type { Layer } from "./layers.ts";

const functions = pythonFunctions(source);

/** The module of all layers, and its parallelize plans: one per mesh axis that cuts a layer. */
export function layersText(layers: readonly Layer[], axes: readonly string[]): string {
  const all = (line: (layer: Layer) => string) => layers.map(line).join("\n");
  const plans = axes.map((axis) => {
    const own = layers.filter((layer) => layer.axis === axis);
    return `    "${axis}": {\n${own.map(({ name, style }) => `        "${name}": ${style},\n`).join("")}    },\n`;
  });
  return `LAYERS = {  # the layer that holds a parameter, and whether transposed
${all(({ parameter, name, isTurned }) => `    "${parameter}": ("${name}", ${isTurned ? "True" : "False"}),`)}
}
PLANS = {  # by the axis of the mesh along which the layers are cut
${plans.join("")}}


class Layers(nn.Module):
    """The operators that hold parameters; nn.Linear has its weight as (out, in)."""

    def __init__(self):
        super().__init__()
${all(({ name, made }) => `        self.${name} = ${made}`)}


${functions.get("place")?.trimEnd()}`;
}

/** The file's function that calls a layer on one axis of a mesh. */
export const onAxisFunction = functions.get("on_axis") ?? "";
