import { shown } from "#app/state";
import { useApp } from "../store-context.tsx";
import { type Operand, slotText } from "./operation-view.ts";

interface Props {
  readonly operand: Operand;
  /** The names of the index axes: the columns of the matrix. */
  readonly axes: readonly string[];
}

/**
 * A projection as a doubly augmented matrix: one row per dim of the tensor, with a factor per index
 * axis, then the offset, then the length of the block at one point of the index space.
 */
export function ProjectionMatrix({ operand, axes }: Props) {
  const { projection, tensor } = operand;
  const dims = useApp(
    (state) => shown(state)?.graph.tensors.find(({ id }) => id === tensor)?.dimNames,
  );
  if (projection === undefined) return null;
  return (
    <table className="ipf">
      <caption>
        {slotText(operand)} <span className="mut">onto</span> {tensor}
      </caption>
      <thead>
        <tr>
          <th scope="col">dim</th>
          {axes.map((axis) => (
            <th scope="col" key={axis}>
              {axis}
            </th>
          ))}
          {axes.length === 0 && <NoAxes />}
          <th scope="col" className="rule">
            offset
          </th>
          <th scope="col" className="rule">
            shape
          </th>
        </tr>
      </thead>
      <tbody>
        {projection.map(({ coefficients, offset, extent }, dim) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is the dim of its number
          <tr key={dim}>
            <th scope="row">{dimText(dims?.[dim], dim)}</th>
            {axes.map((axis, at) => (
              <td key={axis}>{numberText(coefficients[at] ?? 0)}</td>
            ))}
            {axes.length === 0 && <td>−</td>}
            <td className="rule">{numberText(offset)}</td>
            <td className="rule">{extent}</td>
          </tr>
        ))}
        {projection.length === 0 && (
          <tr>
            <td colSpan={Math.max(1, axes.length) + 3}>
              [−]<sub>0×{axes.length}</sub>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  );
}

/** The name of a dim; a dim that no index axis moves is named by its number. */
function dimText(name: string | undefined, dim: number): string {
  return name === undefined || /^\d+$/.test(name) ? `d${dim}` : name;
}

function NoAxes() {
  return <th scope="col">no axis</th>;
}

function numberText(value: number): string {
  return value < 0 ? `−${-value}` : `${value}`;
}
