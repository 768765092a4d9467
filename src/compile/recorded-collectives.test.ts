import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { localShape } from "#core/mesh";
import { type CollectiveStep, flatSteps } from "#core/program";
import { compile } from "./compile.ts";
import type { Compiled } from "./compiled.ts";

/**
 * Collectives of PyTorch 2.13 in these programs, and the part held by rank 0, recorded from runs of
 * PyTorch.
 */
interface Recorded {
  readonly name: string;
  readonly lines: readonly string[];
  readonly forward: Sent;
  readonly backward: Sent;
  readonly shapes: Readonly<Record<string, readonly number[]>>;
}

const rows: readonly Recorded[] = JSON.parse(
  readFileSync("src/compile/recorded-collectives.json", "utf8"),
);

/** Bytes of the whole value sent by a step, as the record counts them. */
function wholeBytes(step: CollectiveStep): number {
  const ranks = step.groups[0]?.length ?? 1;
  const share = step.bytes / (1 - 1 / ranks);
  return Math.round(step.collective === "all-reduce" ? share / 2 : share);
}

type Sent = Readonly<Record<string, readonly number[]>>;

/**
 * Collectives of one pass by kind, without the all-reduce of a scalar loss, which PyTorch does not
 * make.
 */
function sentIn({ program }: Compiled, phase: string): Sent {
  const sent: Record<string, readonly [number, number]> = {};
  for (const step of flatSteps(program)) {
    if (step.kind !== "collective" || step.collective === "slice" || step.phase !== phase) continue;
    const bytes = wholeBytes(step);
    const [count, all] = sent[step.collective] ?? [0, 0];
    if (bytes > 4) sent[step.collective] = [count + 1, all + bytes];
  }
  return sent;
}

/**
 * FSDP sends the parameters of a module together, this program one by one: only bytes are compared.
 */
function bytesOf(sent: Sent): Readonly<Record<string, number | undefined>> {
  return Object.fromEntries(Object.entries(sent).map(([kind, [, bytes]]) => [kind, bytes]));
}

/**
 * Collectives of backward passes in which this program sends less: equal gradients are not cut and
 * gathered again, and parts are added before they are reduced.
 */
const less: Readonly<Record<string, Sent>> = {
  "tensor parallel of a block": { "all-reduce": [2, 262144] },
  "a result that is gathered": {},
};

test.each(rows)("$name: sends what PyTorch sends", ({ name, lines, forward, backward }) => {
  const compiled = compile(lines.join("\n").replaceAll("{batch}", "16"));
  const isPacked = lines.some((line) => /fully_shard\(|FullySharded\w+\(/.test(line));
  const compared = isPacked ? bytesOf : (sent: Sent) => sent;
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(compared(sentIn(compiled, "forward"))).toEqual(compared(forward));
  expect(compared(sentIn(compiled, "backward"))).toEqual(compared(less[name] ?? backward));
});

test.each(rows)("$name: ranks hold what PyTorch's hold", ({ lines, shapes }) => {
  const { graph, plan, tensors } = compile(lines.join("\n").replaceAll("{batch}", "16"));
  const held = graph.tensors.flatMap(({ id, name, shape }) => {
    const path = name.replace(/\[(\d+)\]/g, ".$1");
    const rest = plan.placements.get(id)?.layout;
    const layout = rest ?? tensors.find(({ tensor }) => tensor === id)?.layout;
    return layout !== undefined && path in shapes ? [[path, localShape(layout, shape)]] : [];
  });
  expect(Object.fromEntries(held)).toEqual(shapes);
});
