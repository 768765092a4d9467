import type { Layer } from "./layers.ts";

/** The module of all layers, and the plans by which it is cut: one for each axis of the mesh that cuts any. */
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


def place(whole, mesh):
    """The inputs as DTensors and the layers cut by the plans, from whole tensors that every rank has."""
    given = {
        name: distribute_tensor(x, mesh, INPUTS[name][2], src_data_rank=None)
        for name, x in whole.items()
        if name not in LAYERS
    }
    layers = Layers()
    for name, (layer, is_turned) in LAYERS.items():
        weight = whole[name].T.contiguous() if is_turned else whole[name]
        layers.get_submodule(layer).weight = nn.Parameter(weight, requires_grad=False)
    for axis, plan in PLANS.items():
        parallelize_module(layers, mesh[axis], plan, src_data_rank=None)
    given["layers"] = layers
    return given`;
}

/** What calls a layer on the mesh of one axis out of several. */
export const onAxisFunction = `def on_axis(layer, x, mesh, axis):
    """A layer that lies on one axis of the mesh: along the others, every group of ranks has it on its own part of x."""
    at = mesh.mesh_dim_names.index(axis)
    part = DTensor.from_local(x.to_local(), mesh[axis], [x.placements[at]], run_check=False)
    y = layer(part)
    placements = [*x.placements[:at], *y.placements, *x.placements[at + 1 :]]
    return DTensor.from_local(y.to_local(), mesh, placements, run_check=False)
`;
