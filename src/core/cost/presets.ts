import { machineWords, parseMachine } from "./machine.ts";
import { chips } from "./machines.ts";

/**
 * Machines as they are bought or rented, each a text that `parseMachine` reads: nodes of GPUs,
 * clusters of such nodes, tori of TPUs.
 */
export const machinePresets: readonly string[] = [
  "8xH100",
  "32x8xH100",
  "8xA100",
  "8xH200",
  "8xB200",
  "72xGB200",
  "8xMI300X",
  "4x4x8 TPU v5p",
  "16x16 TPU v5e",
  "16x16 TPU v6e",
  "4x4x4 TPU v4",
  "8xV100",
];

/**
 * The preset that a misspelt text most likely means: the same counts, and the device whose name has
 * the longest common beginning with it or the fewest different letters. Ties go to the first listed.
 */
export function nearestMachine(text: string): string {
  const { counts = "", name = "" } =
    /^(?<counts>(?:\d+\s*[x×*]\s*)*)(?<name>.*)$/iu.exec(machineWords(text))?.groups ?? {};
  const wanted = plain(name);
  const [nearest] = chips
    .map((chip) => {
      const isBegun = wanted !== "" && plain(chip.name).startsWith(wanted);
      return { chip, slips: isBegun ? 0 : distance(plain(chip.name), wanted) };
    })
    .sort((a, b) => a.slips - b.slips);
  if (nearest === undefined) return text;
  const sizes = [...counts.matchAll(/\d+/gu)].map(([count]) => count);
  const glue = nearest.chip.isTorus && sizes.length > 0 ? " " : "x";
  const written = [...(sizes.length > 0 ? [sizes.join("x")] : []), nearest.chip.name].join(glue);
  return parseMachine(written).ok ? written : nearest.chip.name;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/gu, "");
}

/** Letters to insert, leave out or change on the way from one word to the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const changed = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(changed, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
