import { isSlow, lineOf as timingLine } from "./browser/timing.ts";
import { calibrate, referenceMs, startPace } from "./calibration.ts";
import { distributions, lineOf, unmatched } from "./distribution.ts";
import { executed, executedAim } from "./executed.ts";
import { gestureTimings } from "./gestures.ts";
import type { Measure } from "./measure.ts";
import { measures } from "./measures.ts";

/** Factor by which a measure may exceed its aim before `--check` fails. */
const tolerance = 2;

const pace = await startPace(calibrate, referenceMs.node);
let slow = 0;
for (const measure of measures) {
  const seconds = secondsOf(measure);
  const factor = await pace.since();
  const times = seconds / (measure.aimSeconds * factor);
  if (times > tolerance) slow += 1;
  const verdict = times <= 1 ? "" : ` ${times.toFixed(1)} × the aim`;
  const aim = `aim ${inMs(measure.aimSeconds)}, here × ${factor.toFixed(2)}`;
  console.log(`${measure.name.padEnd(46)}${inMs(seconds)}  ${aim}${verdict}`);
}

for (const timing of gestureTimings()) {
  if (isSlow(timing, 1)) slow += 1;
  console.log(timingLine(timing, 1));
}

const found = distributions();
for (const each of found) console.log(lineOf(each));

const { files, functions } = executed();
const listed = process.argv.includes("--files") ? [...files, ""].join("\n") : "";
console.log(
  `${listed}a text of ten lines executes ${files.length} files, ${functions} functions  aim ${executedAim}`,
);

const missed = found.reduce((sum, each) => sum + unmatched(each), 0);
const broken = found.reduce((sum, each) => sum + each.broken.length, 0);
if (process.argv.includes("--check") && slow + missed + broken > 0) {
  console.log(`${slow} beyond twice the aim, ${missed} pairs unmatched, ${broken} pairs broken`);
  process.exitCode = 1;
}

/** Seconds of the run that counts: the median, or the slowest. */
function secondsOf({ runs, warmUp = 0, counts }: Measure): number {
  for (let at = 0; at < warmUp; at++) runs[at % runs.length]?.();
  const times = runs.map((run) => {
    const started = performance.now();
    run();
    return (performance.now() - started) / 1000;
  });
  const inOrder = times.sort((a, b) => a - b);
  return inOrder.at(counts === "slowest" ? -1 : Math.floor(runs.length / 2)) ?? 0;
}

function inMs(seconds: number): string {
  return `${(seconds * 1000).toFixed(2).padStart(8)} ms`;
}
