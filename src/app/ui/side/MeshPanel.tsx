import { shown } from "#app/state";
import { StatusMark } from "../atoms/StatusMark.tsx";
import { useApp } from "../store-context.tsx";
import { DeviceGrid } from "./DeviceGrid.tsx";
import { MeshAxisChip } from "./MeshAxisChip.tsx";

/** The mesh: its axes as chips to drag, its devices as a grid. */
export function MeshPanel() {
  const compiled = useApp(shown);
  if (compiled === undefined) {
    return (
      <section className="meshpan" aria-label="Mesh">
        <div className="head">
          <h2>Mesh</h2>
        </div>
      </section>
    );
  }
  const { mesh, hardware, hardwareStatus } = compiled;
  const count = mesh.mesh.devices.length;
  return (
    <section className="meshpan" aria-label="Mesh">
      <div className="head">
        <h2>Mesh</h2>
        <span className="mut">
          {count} {count === 1 ? "device" : "devices"}
        </span>
        {mesh.status === "assumed" && <StatusMark status="assumed" />}
        <span className="sp">{hardware.name}</span>
        {hardwareStatus !== "set" && <StatusMark status={hardwareStatus} />}
      </div>
      <div className="axes">
        {mesh.mesh.axes.map((axis, index) => (
          <MeshAxisChip
            key={axis.name}
            axis={axis}
            index={index}
            isResizable={mesh.sizeSpans[axis.name] !== undefined}
          />
        ))}
        {mesh.mesh.axes.length === 0 && (
          <p className="mut">No axes. Write mesh = Mesh(dp=2, mp=2) to split over devices.</p>
        )}
      </div>
      <DeviceGrid mesh={mesh.mesh} />
    </section>
  );
}
