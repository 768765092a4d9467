import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { Worker } from "node:worker_threads";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { stepFaults } from "#execute/engine";
import type { FaultFate, Proof } from "./prove-program.ts";

/**
 * Compares runs of programs on the CPU with their unsharded versions, then with faults of every
 * kind in every collective: `npm run proofs [FILE.py] [LIST.json] [--most=200] [--json=FILE]`. A
 * list has entries `{ name, program }`; `--most` limits the runnable programs taken from each list.
 * The gallery is always included. Exit status 1 when a program differs, or a fault is neither found
 * nor explained.
 */
interface Named {
  readonly name: string;
  readonly program: string;
}

/** Time limit of a program, in seconds. */
const mostSeconds = 180;

const given = process.argv.slice(2).filter((arg) => !arg.startsWith("--"));
const option = (name: string) =>
  process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
const most = Number(option("most") ?? Number.POSITIVE_INFINITY);
const only = option("only");

const gallery = examples.map((each) => ({ name: each.name, program: exampleText(each) }));
const files = given.filter((file) => file.endsWith(".py"));
const texts = files.map((file) => ({ name: basename(file), program: readFileSync(file, "utf8") }));
const lists = given.filter((file) => file.endsWith(".json"));
const proofs = new Map<string, Proof>();

let worker = freshWorker();
for (const each of [...gallery, ...texts]) await prove(each);
for (const list of lists) {
  const programs: readonly Named[] = JSON.parse(readFileSync(list, "utf8"));
  let ran = 0;
  for (const each of programs) {
    if (ran >= most) break;
    const proof = await prove(each);
    if (proof !== undefined && proof.kind !== "refused") ran += 1;
  }
}
await worker.terminate();
tell();

function freshWorker(): Worker {
  return new Worker(new URL("./prove-program.js", import.meta.url));
}

async function prove({ name, program }: Named): Promise<Proof | undefined> {
  if (only !== undefined && !only.split(",").includes(name)) return undefined;
  const proof = await answered(program);
  proofs.set(name, proof);
  const fates = proof.faults.map(({ how, fates: { found, ...rest } }) => {
    const all = found + Object.values(rest).reduce((sum, each) => sum + each, 0);
    return `${how} ${found}/${all}${rest.missed > 0 ? ` MISSED ${rest.missed}` : ""}`;
  });
  const { kind, why, seconds, zeros, peak } = proof;
  const numbers = kind === "equal" ? `; zero ${zeros[0].length}/${zeros[1]}, peak ${peak}` : "";
  console.log(`${kind.padEnd(9)} ${name} ${seconds.toFixed(1)} s: ${why}${numbers}`);
  if (fates.length > 0) console.log(`          ${fates.join(", ")}`);
  return proof;
}

async function answered(program: string): Promise<Proof> {
  let resolve: (proof: Proof) => void = () => {};
  const promise = new Promise<Proof>((take) => {
    resolve = take;
  });
  const whenLate = () => resolve(noProof("late", `no answer in ${mostSeconds} s`));
  const timer = setTimeout(whenLate, mostSeconds * 1000);
  const whenBroken = ({ message }: Error) => resolve(noProof("late", `a fault: ${message}`));
  worker.once("message", resolve);
  worker.once("error", whenBroken);
  worker.postMessage(program);
  const proof = await promise;
  clearTimeout(timer);
  worker.off("message", resolve);
  worker.off("error", whenBroken);
  if (proof.kind === "late") {
    await worker.terminate();
    worker = freshWorker();
  }
  return proof;
}

function noProof(kind: Proof["kind"], why: string): Proof {
  return { kind, why, notes: [], faults: [], peak: 0, zeros: [[], 0], seconds: mostSeconds };
}

/** Prints counts by verdict, and the fates of the faults by kind. */
function tell(): void {
  const all = [...proofs.values()];
  const kinds = ["equal", "different", "as told", "refused", "late"] as const;
  const counts = kinds.map((kind) => `${all.filter((each) => each.kind === kind).length} ${kind}`);
  console.log(`\n${proofs.size} programs: ${counts.join(", ")}`);
  const fates: readonly FaultFate[] = ["found", "cannot show", "shows nothing here", "missed"];
  console.log(`| fault | ${fates.join(" | ")} |`);
  let missed = 0;
  for (const how of stepFaults) {
    const tallies = all.flatMap((each) => each.faults.filter((tally) => tally.how === how));
    const row = fates.map((fate) => tallies.reduce((sum, each) => sum + each.fates[fate], 0));
    missed += row.at(-1) ?? 0;
    console.log(`| ${how} | ${row.join(" | ")} |`);
  }
  const json = option("json");
  if (json !== undefined) writeFileSync(json, JSON.stringify([...proofs], undefined, 1));
  const differing = all.filter(({ kind }) => kind === "different").length;
  if (differing + missed > 0) process.exitCode = 1;
}
