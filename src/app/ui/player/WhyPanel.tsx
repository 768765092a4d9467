import { formatBytes, formatSeconds, hueOf } from "#app/scene";
import type { Compiled } from "#app/state";
import { bytesOf } from "#core/ir";
import type { Redistribution } from "#core/program";
import { keyed } from "../drawing/keyed.ts";
import { reasonText, stepsOf } from "../words.ts";
import { PolicyRow } from "./PolicyRow.tsx";

interface Props {
  readonly compiled: Compiled;
  readonly redistribution: Redistribution;
  readonly caption: string | undefined;
}

/** What each step costs, what cannot be gone below, and why the redistribution is there. */
export function WhyPanel({ compiled, redistribution, caption }: Props) {
  const steps = stepsOf(compiled, redistribution);
  const tensor = compiled.graph.tensors.find(({ id }) => id === redistribution.tensor);
  const width = tensor === undefined ? 1 : bytesOf(tensor.dtype);
  const gap = redistribution.elements - redistribution.lowerBound;
  return (
    <div className="why">
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" className="n">
              per device
            </th>
            <th scope="col" className="n">
              time
            </th>
          </tr>
        </thead>
        <tbody>
          {keyed(steps).map(({ key, item: step }) => (
            <tr className="on" key={key}>
              <td>
                {key + 1} {step.collective}{" "}
                {step.axes.map((axis) => (
                  <b key={axis} className={`tk a${hueOf(compiled.mesh.mesh, axis)}`}>
                    {axis}{" "}
                  </b>
                ))}
              </td>
              <td className="n">{formatBytes(step.bytes)}</td>
              <td className="n">{formatSeconds(step.seconds)}</td>
            </tr>
          ))}
          <tr className="mut">
            <td>Lower bound</td>
            <td className="n">{formatBytes(redistribution.lowerBound * width)}</td>
            <td className="n">{gap <= 0 ? "met" : `gap ${formatBytes(gap * width)}`}</td>
          </tr>
          {(compiled.comparisons[redistribution.index] ?? []).map((outcome) => (
            <PolicyRow key={outcome.policy} outcome={outcome} ours={redistribution.bytes} />
          ))}
        </tbody>
      </table>
      <p className="caption" aria-live="polite">
        {caption}
      </p>
      <h3>Why</h3>
      {redistribution.reasons.map((reason) => {
        const text = reasonText(compiled, redistribution, reason);
        return <p key={text}>{text}</p>;
      })}
    </div>
  );
}
