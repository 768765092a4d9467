import { shown } from "#app/state";
import type { WrongStep } from "#compile";
import type { Fix } from "#core/diagnostics";
import { TableHead } from "../atoms/TableHead.tsx";
import { FixButtons } from "../program/FixButtons.tsx";
import { useApp } from "../store-context.tsx";

/** The most devices that are listed; the others are counted. */
const mostDevices = 16;

const noFixes: readonly Fix[] = [];

interface Props {
  readonly step: WrongStep;
  readonly title: string;
  readonly columns: number;
}

/**
 * A step that the system computes wrongly: the cause, the values that devices then hold, and a safe
 * rewriting.
 */
export function WrongStepLine({ step, title, columns }: Props) {
  const fixes = useApp(
    (state) => shown(state)?.diagnostics.find(({ code }) => code === step.code)?.fixes ?? noFixes,
  );
  const { subject, cause, devices } = step;
  const more = devices.length - mostDevices;
  return (
    <tr className="sys-wrong" data-testid="wrong-step" data-code={step.code}>
      <td colSpan={columns}>
        <p>
          <b>{title} computes this wrongly:</b> {cause}.
        </p>
        {devices.length > 0 && (
          <table className="tbl">
            <TableHead names={["Device", `Of ${subject} it should have`, `As ${title} emits it`]} />
            <tbody>
              {devices.slice(0, mostDevices).map(({ device, wanted, held }) => (
                <tr key={device}>
                  <td>{device}</td>
                  <td className="mono">{wanted}</td>
                  <td className="mono">
                    <mark>{held}</mark>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {more > 0 && <p className="mut">And {more} devices more.</p>}
        <FixButtons fixes={fixes} />
      </td>
    </tr>
  );
}
