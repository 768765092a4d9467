import fc from "fast-check";
import { expect, test } from "vitest";
import { optimize } from "./optimize.ts";
import { PlannerMemory } from "./planner-memory.ts";
import { requestOf, smallPrograms, textOf } from "./small-programs.testing.ts";

test("within limits each axis cuts what it may, also after a search without, and no plan is faster", () => {
  fc.assert(
    fc.property(smallPrograms, fc.nat(), (program, salt) => {
      const request = requestOf(textOf(program));
      const free = optimize(request);
      if (!free.ok) return;
      const limits = new Map(
        request.graph.operators.map(({ id, axes }, at) => [
          id,
          Object.fromEntries(
            request.mesh.axes.map(({ name }, place) => [
              name,
              [null, axes[(salt + at + place) % axes.length]?.name ?? null],
            ]),
          ),
        ]),
      );
      const memory = new PlannerMemory();
      optimize(request, { memory });
      const found = optimize({ ...request, limits }, { memory });
      expect(found).toEqual(optimize({ ...request, limits }));
      if (!found.ok) return;
      expect(found.value.seconds).toBeGreaterThanOrEqual(free.value.bound * (1 - 1e-9));
      for (const [id, { cuts }] of found.value.strategies)
        for (const [name, parts] of Object.entries(cuts))
          for (const part of parts)
            if (part.kind === "axis") expect(limits.get(id)?.[part.axis]).toContain(name);
    }),
    { numRuns: 40 },
  );
});
