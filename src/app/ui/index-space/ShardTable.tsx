import { useMemo } from "react";
import { imagesOf, type ProjectionSpace, rangeText } from "#app/scene/index-space";
import { TableHead } from "../atoms/TableHead.tsx";
import { keyed } from "../drawing/keyed.ts";

/** Most listed shards; the drawing shows the cuts of all. */
const most = 64;

/**
 * Shard of the index space that each device computes, and the part of each tensor that it reads or
 * writes for it.
 */
export function ShardTable({ space }: { readonly space: ProjectionSpace }) {
  const { shards, operands } = space;
  const rows = useMemo(
    () => shards.slice(0, most).map((shard) => ({ shard, images: imagesOf(space, shard.box) })),
    [space, shards],
  );
  if (shards.length < 2) return null;
  const heads = operands.map(
    ({ name, side }) => `${name} ${side === "input" ? "read" : "written"}`,
  );
  return (
    <details className="space-table">
      <summary>What each device reads and writes</summary>
      <table className="tbl" data-testid="shard-ranges">
        <TableHead names={["device", "index", ...heads]} />
        <tbody>
          {keyed(rows).map(({ key, item: { shard, images } }) => (
            <tr key={key} data-device={shard.device}>
              <td>{shard.device}</td>
              <td className="mono">{rangeText(shard.box)}</td>
              {keyed(images).map(({ key: at, item: image }) => (
                <td className="mono" key={at}>
                  {rangeText(image.box)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
