import { useMemo } from "react";
import { type PlanTable, planHead, planTables } from "#app/scene/text";
import { shown, titleOf } from "#app/state";
import type { Compiled } from "#compile";
import { TableHead } from "../atoms/TableHead.tsx";
import { keyed } from "../drawing/keyed.ts";
import { useApp } from "../store-context.tsx";
import { drawnPlan, useDrawnPlan } from "./drawn-plan.ts";
import { pictureAddress } from "./picture-address.ts";

/**
 * Page for print in place of the one on screen: the whole picture, the text, and the tables of the
 * plan.
 */
export function PrintPage() {
  const compiled = useApp(shown);
  return compiled === undefined ? null : <Printed compiled={compiled} />;
}

function Printed({ compiled }: { readonly compiled: Compiled }) {
  const title = useApp(titleOf);
  const drawn = useDrawnPlan();
  const picture = useMemo(
    () => pictureAddress(drawnPlan(compiled, { theme: "light" }, drawn)),
    [compiled, drawn],
  );
  return (
    <div className="print" data-testid="print">
      <h1>{title}</h1>
      <p>{planHead(compiled)} Numbers are of a model.</p>
      <img src={picture} alt="The whole plan" />
      <h2>Program</h2>
      <pre>{compiled.source}</pre>
      {planTables(compiled).map((part) => (
        <Part key={part.title} part={part} />
      ))}
    </div>
  );
}

function Part({ part: { title, head, rows, codes } }: { readonly part: PlanTable }) {
  return (
    <>
      <h2>{title}</h2>
      <table>
        <TableHead names={head} />
        <tbody>
          {keyed(rows).map(({ key, item: row }) => (
            <tr key={key}>
              {keyed(row).map(({ key: at, item: cell }) => (
                <td key={at} className={codes.includes(at) ? "mono" : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
