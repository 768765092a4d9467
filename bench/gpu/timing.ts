/** Rounds of a contender, of which the middle one counts, behind some that do not count. */
const [warmUps, rounds] = [2, 5];

/** Milliseconds of each of so many runs in a row, contender by contender in turns. */
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

/** Operations of a round: about a tenth of a second on a fast GPU, on a CPU that plays one a second. */
const roundWork = { gpu: 1e12, cpu: 4e9 };

/** How often a run of so many operations is made in a row. */
export function timesOf(work: number, isCpu: boolean): number {
  return Math.max(1, Math.min(100, Math.round(roundWork[isCpu ? "cpu" : "gpu"] / work)));
}
