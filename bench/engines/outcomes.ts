import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { WrittenCode } from "#systems";
import { folder, python } from "./asked.ts";

/** Numbers of checks by outcome. */
export const tally = { passed: 0, failed: 0, "not run": 0 };

/** Counts a check and prints its line. */
export function note(what: keyof typeof tally, line: string): void {
  tally[what] += 1;
  console.log(`${what}: ${line}`);
}

/** Written code with its claims on collectives and slices. */
export type Saved = Pick<WrittenCode & { ok: true }, "files" | "claims">;

/** Saves the files of a plan in a folder of their own, and returns its path. */
export function saved(name: string, target: string, written: Saved): string {
  const place = join(folder, target, name);
  mkdirSync(place, { recursive: true });
  const [plan, launcher] = written.files;
  writeFileSync(join(place, "plan.py"), plan.text);
  writeFileSync(join(place, launcher.name), launcher.text);
  writeFileSync(join(place, "claims.json"), JSON.stringify(written.claims));
  return place;
}

/** Outcome of one check, as printed by check_many.py. */
interface Outcome {
  readonly folder: string;
  readonly status: number;
  readonly said: string;
  readonly faults: readonly string[];
}

/** Runs the files in each folder as one check. */
export async function* outcomes(
  target: string,
  places: readonly string[],
): AsyncGenerator<Outcome> {
  if (places.length === 0) return;
  const args = [join("engines", "check_many.py"), target, ...places];
  const child = spawn(python, args, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
}

/** Runs the files in each folder and notes the outcome; a folder without one counts as failed. */
export async function check(target: string, places: readonly string[]): Promise<void> {
  let count = 0;
  for await (const outcome of outcomes(target, places)) {
    const name = outcome.folder.slice(join(folder, target).length + 1);
    note(outcome.status === 0 ? "passed" : "failed", `${name} for ${target}: ${outcome.said}`);
    for (const fault of outcome.faults) console.log(`  ${fault.slice(0, 300)}`);
    count += 1;
  }
  if (count < places.length) note("failed", `${target}: only ${count} of ${places.length} ran`);
}
