import { drawn } from "#app/state";
import type { MeshAxis } from "#core/mesh";
import { useApp, useAppStore } from "../store-context.tsx";

/** Meshes offered for a text without one: common shapes of a machine with 8 devices. */
const meshes: readonly (readonly MeshAxis[])[] = [
  [{ name: "dp", size: 8 }],
  [
    { name: "dp", size: 2 },
    { name: "tp", size: 4 },
  ],
  [
    { name: "dp", size: 8 },
    { name: "tp", size: 8 },
  ],
];

/** Meshes for a text without one; a press plans the text on that mesh. */
export function FirstMesh() {
  const store = useAppStore();
  const isBare = useApp((state) => {
    const compiled = drawn(state);
    return compiled?.mesh.mesh.axes.length === 0 && compiled.graph.operators.length > 0;
  });
  if (!isBare) return null;
  const planOn = async (axes: readonly MeshAxis[]) => {
    const { gesture, startPlan } = store.getState();
    for (const [at, { name, size }] of axes.entries()) {
      const fault = await gesture({ kind: "add-axis", axis: name, size }, { continues: at > 0 });
      if (fault !== undefined) return;
    }
    await startPlan();
  };
  return (
    <fieldset className="planner-buttons" data-testid="plan-meshes">
      <legend>Plan it on</legend>
      {meshes.map((axes) => (
        <button
          key={nameOf(axes)}
          type="button"
          className="btn line"
          onClick={() => void planOn(axes)}
        >
          {deviceCount(axes)} devices, {nameOf(axes)}
        </button>
      ))}
    </fieldset>
  );
}

function nameOf(axes: readonly MeshAxis[]): string {
  return axes.map(({ name, size }) => `${name} ${size}`).join(" × ");
}

function deviceCount(axes: readonly MeshAxis[]): number {
  return axes.reduce((count, { size }) => count * size, 1);
}
