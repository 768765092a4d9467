import { rangeText } from "#app/scene/index-space";
import { TableHead } from "../atoms/TableHead.tsx";
import { useActions, useApp } from "../store-context.tsx";
import { ApplicationTable } from "./ApplicationTable.tsx";
import { type Operand, type Operation, slotText } from "./operation-view.ts";
import { ProjectionMatrix } from "./ProjectionMatrix.tsx";
import { RangeField } from "./RangeField.tsx";

interface Props {
  readonly name: string;
  readonly operation: Operation;
}

/**
 * Operation of an imported graph as its text states it: kernel, index, selections with their
 * projections, Applications.
 */
export function OperationDetails({ name, operation }: Props) {
  const { kernel, operands, unsaid = [] } = operation;
  return (
    <section className="operation-details" aria-label={`Operation ${name}`}>
      <h3>
        Operation {name} <span className="mut">{kernel}</span>
      </h3>
      <p className="mut mono">{indexText(operation)}</p>
      <table className="tbl">
        <TableHead names={["selection", "tensor", "range"]} />
        <tbody>
          {operands.map((operand) => (
            <SelectionRow key={keyOf(operand)} operand={operand} node={operation.id} />
          ))}
        </tbody>
      </table>
      {unsaid.map((reason) => (
        <p className="mut" key={reason}>
          {reason}.
        </p>
      ))}
      <Projections operation={operation} />
      <ApplicationTable operation={operation} />
    </section>
  );
}

function indexText({ index, axes, hasIndex }: Operation): string {
  if (index === undefined) return "no index: it is one piece";
  const text = `index (${axes.join(", ")}) ${rangeText(index)}`;
  return hasIndex ? text : `no index of its own: a point per cell, ${text}`;
}

function SelectionRow({ operand, node }: { readonly operand: Operand; readonly node: string }) {
  const { editGraph } = useActions();
  const reveal = useApp((state) => state.reveal);
  const { side, name, position, tensor, range, isWhole, span } = operand;
  return (
    <tr>
      <td>
        {side === "inputs" ? "in" : "out"}{" "}
        <button type="button" className="lk" onClick={() => reveal(span)}>
          {slotText(operand)}
        </button>
      </td>
      <td>{tensor}</td>
      <td className="mono">
        <RangeField
          of={slotText(operand)}
          range={range}
          onSet={(wanted) =>
            editGraph(
              { kind: "set-range", node, selection: { side, name, position }, range: wanted },
              `Set the range of ${slotText(operand)}`,
            )
          }
        />
        {!isWhole && <span className="mut"> a part</span>}
      </td>
    </tr>
  );
}

/** Matrix, offset and shape of each operand that has a projection in the text. */
function Projections({ operation }: { readonly operation: Operation }) {
  const { operands, axes, hasIndex } = operation;
  if (!hasIndex || operands.every(({ projection }) => projection === undefined)) return null;
  return (
    <>
      <h4>Projections of the index</h4>
      <div className="ipfs">
        {operands.map((operand) => (
          <ProjectionMatrix key={keyOf(operand)} operand={operand} axes={axes} />
        ))}
      </div>
    </>
  );
}

function keyOf(operand: Operand): string {
  return `${operand.side} ${slotText(operand)}`;
}
