import { machineWords, parseMachine } from "./machine.ts";
import { chips, namesOf, plainName } from "./machines.ts";
import { slipsBetween } from "./spelling.ts";

/**
 * Machines as they are bought or rented, each a text that `parseMachine` reads: nodes of GPUs,
 * clusters of such nodes, tori of TPUs.
 */
export const machinePresets: readonly string[] = [
  "8xH100",
  "32x8xH100",
  "8xA100",
  "8xH200",
  "8xH800",
  "8xH20",
  "8xB200",
  "8xB300",
  "72xGB200",
  "8xMI300X",
  "8xMI325X",
  "8xAscend 910B",
  "8xAscend 910C",
  "8xL40S",
  "8xRTX 4090",
  "8xRTX 5090",
  "4x4x8 TPU v5p",
  "16x16 TPU v5e",
  "16x16 TPU v6e",
  "4x4x4 TPU v4",
  "4x4x4 TPU v7",
  "8xV100",
  "2xXeon 8480+",
];

/**
 * The preset that a misspelt text most likely means: the same counts, and the device whose name has
 * the longest common beginning with it or the fewest different letters. Ties go to the first listed.
 */
export function nearestMachine(text: string): string {
  const { counts = "", name = "" } =
    /^(?<counts>(?:\d+\s*[x×*]\s*)*)(?<name>.*)$/iu.exec(machineWords(text))?.groups ?? {};
  const wanted = plainName(name);
  const slips = (own: string) => (own.startsWith(wanted) ? 0 : slipsBetween(own, wanted));
  const [nearest] = chips
    .map((chip) => ({
      chip,
      slips: Math.min(...namesOf(chip).map((each) => slips(plainName(each)))),
    }))
    .sort((a, b) => a.slips - b.slips);
  if (nearest === undefined) return text;
  const sizes = [...counts.matchAll(/\d+/gu)].map(([count]) => count);
  const glue = nearest.chip.isTorus && sizes.length > 0 ? " " : "x";
  const written = [...(sizes.length > 0 ? [sizes.join("x")] : []), nearest.chip.name].join(glue);
  return parseMachine(written).ok ? written : nearest.chip.name;
}
