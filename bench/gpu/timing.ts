/** Rounds per contender: first some that are not counted, then those whose median counts. */
const [warmUps, rounds] = [2, 5];

/** Milliseconds per run of each contender, median over rounds; the contenders take turns. */
export async function inTurn(
  contenders: Readonly<Record<string, (times: number) => Promise<unknown>>>,
  times: number,
): Promise<ReadonlyMap<string, number>> {
  const taken = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const started = performance.now();
      await run(times);
      if (round >= 0) taken.get(name)?.push((performance.now() - started) / times);
    }
  }
  return new Map([...taken].map(([name, all]) => [name, middle(all)]));
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

/**
 * Operations per round: about a tenth of a second on a fast GPU, about a second on a CPU adapter.
 */
const roundWork = { gpu: 1e12, cpu: 4e9 };

/** Number of runs in a row for a given number of operations. */
export function timesOf(work: number, isCpu: boolean): number {
  return Math.max(1, Math.min(100, Math.round(roundWork[isCpu ? "cpu" : "gpu"] / work)));
}
