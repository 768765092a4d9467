import { expect, test } from "vitest";
import { printAnnotation } from "#core/dimops";
import { sampleCalls } from "../../execute/reference/calls.testing.ts";
import { graphOf } from "../../execute/reference/operator.testing.ts";
import { checkLoom } from "./check-loom.ts";
import { readProgram } from "./read-program.ts";
import { writeLoom } from "./write-loom.ts";
import { loomOfProgram } from "./write-program.ts";

const sizes: Readonly<Record<string, number>> = {};
const calls = sampleCalls((name) => sizes[name] ?? 4);

test.each(calls)(
  "[5] $title comes back from the LoomGraph that it is written as",
  ({ entry, call }) => {
    const graph = graphOf(entry, call);
    const [operator] = graph.operators;
    for (const form of ["closed", "open"] as const) {
      const written = loomOfProgram(graph, () => form);
      const text = writeLoom(written.graph);
      const { issues, document } = checkLoom(text, { dialect: "op" });
      expect(issues).toEqual([]);
      const read = document && readProgram(document).graph.operators[0];
      const said = written.diagnostics.map(({ message }) => message);
      if (said.length > 0) expect(said.join()).toContain("written without an index");
      else {
        expect(read && printAnnotation(read.annotation)).toBe(
          operator && printAnnotation(operator.annotation),
        );
      }
      expect([entry.name, said]).toEqual([entry.name, []]);
    }
  },
);
