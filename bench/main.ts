import { type Measure, measures } from "./measures.ts";

/** Runs of each measure; the middle one counts. */
const runs = 5;

/** How far beyond its aim a measure may lie before `--check` fails. */
const tolerance = 2;

const results = measures.map((measure) => ({ ...measure, seconds: medianSeconds(measure) }));
for (const { name, aimSeconds, seconds } of results) {
  const verdict = seconds <= aimSeconds ? "" : ` ${(seconds / aimSeconds).toFixed(1)} × the aim`;
  console.log(`${name.padEnd(44)}${inMs(seconds)}  aim ${inMs(aimSeconds)}${verdict}`);
}

const slow = results.filter(({ aimSeconds, seconds }) => seconds > tolerance * aimSeconds);
if (process.argv.includes("--check") && slow.length > 0) {
  console.log(`${slow.length} beyond twice the aim`);
  process.exitCode = 1;
}

function medianSeconds({ run }: Measure): number {
  const times = Array.from({ length: runs }, () => {
    const started = performance.now();
    run();
    return (performance.now() - started) / 1000;
  });
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

function inMs(seconds: number): string {
  return `${(seconds * 1000).toFixed(1).padStart(8)} ms`;
}
