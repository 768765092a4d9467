import { distributions, lineOf, unmatched } from "./distribution.ts";
import { type Measure, measures } from "./measures.ts";

/** How far beyond its aim a measure may lie before `--check` fails. */
const tolerance = 2;

const results = measures.map((measure) => ({ ...measure, seconds: medianSeconds(measure) }));
for (const { name, aimSeconds, seconds } of results) {
  const verdict = seconds <= aimSeconds ? "" : ` ${(seconds / aimSeconds).toFixed(1)} × the aim`;
  console.log(`${name.padEnd(46)}${inMs(seconds)}  aim ${inMs(aimSeconds)}${verdict}`);
}

const found = distributions();
for (const each of found) console.log(lineOf(each));

const slow = results.filter(({ aimSeconds, seconds }) => seconds > tolerance * aimSeconds);
const missed = found.reduce((sum, each) => sum + unmatched(each), 0);
const broken = found.reduce((sum, each) => sum + each.broken.length, 0);
if (process.argv.includes("--check") && slow.length + missed + broken > 0) {
  console.log(
    `${slow.length} beyond twice the aim, ${missed} pairs unmatched, ${broken} pairs broken`,
  );
  process.exitCode = 1;
}

/** The middle one of the runs that count. */
function medianSeconds({ runs, warmUp = 0 }: Measure): number {
  for (let at = 0; at < warmUp; at++) runs[at % runs.length]?.();
  const times = runs.map((run) => {
    const started = performance.now();
    run();
    return (performance.now() - started) / 1000;
  });
  return times.sort((a, b) => a - b)[Math.floor(runs.length / 2)] ?? 0;
}

function inMs(seconds: number): string {
  return `${(seconds * 1000).toFixed(2).padStart(8)} ms`;
}
