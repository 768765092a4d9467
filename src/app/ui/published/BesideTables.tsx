import { drawn } from "#app/state";
import {
  type Beside,
  type CompiledCollective,
  laidBeside,
  ownCollectives,
} from "#systems/published";
import { useApp } from "../store-context.tsx";

/** The collectives of a compiled program beside those of the plan on screen. */
export function BesideTables({
  collectives,
}: {
  readonly collectives: readonly CompiledCollective[];
}) {
  const program = useApp(drawn)?.program;
  if (program === undefined) return null;
  const beside = laidBeside(collectives, ownCollectives(program));
  return (
    <section className="beside" aria-label="What XLA inserted" data-testid="xla-beside">
      <Kinds beside={beside} />
      <Collectives beside={beside} />
    </section>
  );
}

function Kinds({ beside: { kinds } }: { readonly beside: Beside }) {
  return (
    <table>
      <caption>What XLA inserted</caption>
      <thead>
        <tr>
          <th scope="col">Collective</th>
          <th scope="col">XLA</th>
          <th scope="col">Bytes</th>
          <th scope="col">This plan</th>
          <th scope="col">Bytes</th>
        </tr>
      </thead>
      <tbody>
        {kinds.map(({ kind, xla, xlaBytes, ours, ourBytes }) => (
          <tr key={kind}>
            <th scope="row">{kind}</th>
            <td>{xla}</td>
            <td>{xlaBytes.toLocaleString("en")}</td>
            <td>{ours}</td>
            <td>{ourBytes.toLocaleString("en")}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Rows that one table draws; the rest is counted. */
const mostRows = 200;

function Collectives({ beside: { rows, onlyOurs } }: { readonly beside: Beside }) {
  const all = [...rows.map(rowOfXla), ...onlyOurs.map(rowOfOurs)];
  const rest = all.length - mostRows;
  return (
    <table>
      <caption>One by one{rest > 0 && `, without the last ${rest}`}</caption>
      <thead>
        <tr>
          <th scope="col">Collective</th>
          <th scope="col">XLA’s operator</th>
          <th scope="col">Bytes</th>
          <th scope="col">This plan</th>
        </tr>
      </thead>
      <tbody>
        {all.slice(0, mostRows).map(({ key, kind, operator, bytes, ours, isOther }) => (
          <tr key={key} data-different={isOther}>
            <th scope="row">{kind}</th>
            <td>{operator}</td>
            <td>{bytes}</td>
            <td>{ours}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface TableRow {
  readonly key: string;
  readonly kind: string;
  readonly operator: string;
  readonly bytes: string;
  readonly ours: string;
  readonly isOther: boolean;
}

function rowOfXla(row: Beside["rows"][number], at: number): TableRow {
  const { kind, name, phase, times, bytes, ours, difference } = row;
  const [first = "", ...more] = [...new Set(ours)];
  const same = more.length === 0 ? first : `${first} and ${more.length} more`;
  return {
    key: `xla ${at}`,
    kind,
    operator: `${name === "" ? "no name" : name}${phase === "backward" ? ", backward" : ""}`,
    bytes: `${bytes.toLocaleString("en")}${times === 1 ? "" : ` × ${times}`}`,
    ours: difference ?? same,
    isOther: difference !== undefined,
  };
}

function rowOfOurs(row: Beside["onlyOurs"][number], at: number): TableRow {
  const { kind, tensor, bytes } = row;
  return {
    key: `ours ${at}`,
    kind,
    operator: "none",
    bytes: bytes.toLocaleString("en"),
    ours: `only in this plan: ${tensor}`,
    isOther: true,
  };
}
