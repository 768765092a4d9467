import { rangeText } from "#app/scene";
import { type Compiled, projectedOperator, shown } from "#app/state";
import { useApp } from "../store-context.tsx";

type Operation = NonNullable<Compiled["loom"]>["operations"][number];

/** The operation of a LoomGraph as its text has it: kernel, index, selections, shards. */
export function LoomSection() {
  const operator = useApp(projectedOperator);
  const loom = useApp((state) => shown(state)?.loom);
  const operation = loom?.operations.find((each) => each.operator === operator?.id);
  if (operator === undefined || operation === undefined) return null;
  const { kernel, index, axes, operands, shards, unsaid = [] } = operation;
  return (
    <section className="loom-op" aria-label={`Operation ${operator.name}`}>
      <h3>
        Operation {operator.name} <span className="mut">{kernel}</span>
      </h3>
      <p className="mut mono">
        {index === undefined
          ? "no index: it is one piece"
          : `index (${axes.join(", ")}) ${rangeText(index)}`}
      </p>
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">selection</th>
            <th scope="col">tensor</th>
            <th scope="col">range</th>
          </tr>
        </thead>
        <tbody>
          {operands.map((operand) => (
            <SelectionRow key={keyOf(operand)} operand={operand} />
          ))}
        </tbody>
      </table>
      {unsaid.map((reason) => (
        <p className="mut" key={reason}>
          {reason}.
        </p>
      ))}
      {shards.length > 0 && (
        <p className="mut">
          {shards.length} {shards.length === 1 ? "shard stands" : "shards stand"} in the graph.
        </p>
      )}
    </section>
  );
}

type Operand = Operation["operands"][number];

function SelectionRow({ operand }: { readonly operand: Operand }) {
  const reveal = useApp((state) => state.reveal);
  const { side, tensor, range, isWhole, span } = operand;
  return (
    <tr>
      <td>
        {side === "inputs" ? "in" : "out"}{" "}
        <button type="button" className="lk" onClick={() => reveal(span)}>
          {keyOf(operand).replace(/^\w+ /, "")}
        </button>
      </td>
      <td>{tensor}</td>
      <td className="mono">
        {rangeText(range)}
        {!isWhole && <span className="mut"> a part</span>}
      </td>
    </tr>
  );
}

function keyOf({ side, name, position }: Operand): string {
  return `${side} ${name}[${position}]`;
}
