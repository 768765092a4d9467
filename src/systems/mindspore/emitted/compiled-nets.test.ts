import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Net, netText, shortly } from "./emitted.testing.ts";

/**
 * One net with what MindSpore 2.10.0's compiler makes of it on rank 0 (graph mode, Ascend, compiled
 * only): the operators with their strategies, and what forward pass and redistribution send.
 */
interface Row extends Net {
  /** Of a family of operators, or of what they share. */
  readonly family: string;
  readonly operators?: readonly string[];
  readonly collectives?: readonly string[];
  /** What MindSpore says where it refuses. */
  readonly refused?: string;
  /** The warning of a net that is emitted otherwise than MindSpore compiles it. */
  readonly warned?: string;
}

const rows: readonly Row[] = JSON.parse(
  readFileSync("src/systems/mindspore/emitted/compiled-nets.json", "utf8"),
);

const families = [...new Set(rows.map(({ family }) => family))];

test.each(families)("nets of %s are emitted as MindSpore compiles them", (family) => {
  for (const row of rows.filter((each) => each.family === family)) {
    const text = netText(row);
    const { operators, collectives, errors, warnings } = shortly(text);
    if (row.refused !== undefined) {
      expect(errors, `${text}\nMindSpore refuses: ${row.refused}`).not.toEqual([]);
      continue;
    }
    expect(errors, text).toEqual([]);
    if (row.warned !== undefined) {
      // Nothing differs in silence.
      expect(
        warnings.map(({ code }) => code),
        text,
      ).toContain(row.warned);
      continue;
    }
    // What is folded into constants has no strategy there, and is emitted here all the same.
    for (const operator of row.operators ?? []) {
      const count = (list: readonly string[]) => list.filter((each) => each === operator).length;
      expect(count(operators), `${text}\n${operator}`).toBeGreaterThanOrEqual(
        count(row.operators ?? []),
      );
    }
    const sent = collectives.map((each) => each.replace(/ \w+$/, ""));
    expect(sent.toSorted(), text).toEqual((row.collectives ?? []).toSorted());
  }
});
