import { commSummary, formatBytes, formatSeconds } from "#app/scene";
import { shown } from "#app/state";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { useApp } from "../store-context.tsx";
import { CommMeter, MemoryMeter, TimeMeter } from "./Meters.tsx";

/** The costs of the plan in full, where the status bar has no room for them. */
export function CostsPanel({ hasMeters }: { readonly hasMeters: boolean }) {
  const compiled = useApp(shown);
  if (compiled === undefined) return null;
  const { cost, memory } = compiled;
  const parts = commSummary(compiled.program, compiled.mesh.mesh);
  return (
    <section className="costs" aria-label="Costs">
      {hasMeters && (
        <>
          <MemoryMeter compiled={compiled} />
          <CommMeter compiled={compiled} />
          <TimeMeter compiled={compiled} />
        </>
      )}
      <div>
        <h3>Communication</h3>
        {parts.length === 0 ? (
          <p>No device sends anything.</p>
        ) : (
          <table className="tbl">
            <thead>
              <tr>
                <th scope="col">collective</th>
                <th scope="col" className="n">
                  per device
                </th>
                <th scope="col" className="n">
                  time
                </th>
              </tr>
            </thead>
            <tbody>
              {parts.map((part) => (
                <tr key={`${part.collective} ${part.axes.map(({ text }) => text).join(" ")}`}>
                  <td>
                    {part.count} {part.collective}{" "}
                    {part.axes.map((tag) => (
                      <AxisChip key={tag.text} tag={tag} />
                    ))}
                  </td>
                  <td className="n">{formatBytes(part.bytes)}</td>
                  <td className="n">{formatSeconds(part.seconds)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <div>
        <h3>Memory per device</h3>
        <table className="tbl">
          <tbody>
            <Row name="Parameters" bytes={memory.parameterBytes} />
            <Row name="Inputs" bytes={memory.inputBytes} />
            <Row name="Activations" bytes={memory.activationBytes} />
            <Row name="Most at one moment" bytes={memory.peakBytes} isSum />
          </tbody>
        </table>
      </div>
      <p className="mut">
        Time is a model: {compiled.hardware.name}, compute {formatSeconds(cost.computeSeconds)},
        then communication {formatSeconds(cost.communicationSeconds)}, without overlap.
      </p>
    </section>
  );
}

function Row(props: { readonly name: string; readonly bytes: number; readonly isSum?: boolean }) {
  return (
    <tr className={props.isSum ? "on" : ""}>
      <td>{props.name}</td>
      <td className="n">{formatBytes(props.bytes)}</td>
    </tr>
  );
}
