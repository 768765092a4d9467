import { describe, expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { createLanguageService } from "#app/language-service";
import { hasErrors } from "#core/diagnostics";
import type { SurveyRequest, SurveyRow } from "./plan-protocol.ts";
import { surveyPlans } from "./plan-survey.ts";

const { compile: compileText } = createLanguageService(() => 0);

function rowsOf(asked: SurveyRequest) {
  const rows: SurveyRow[] = [];
  const end = surveyPlans(asked, ({ row }) => {
    if (row !== undefined) rows.push(row);
  });
  return { rows, end };
}

const head = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((4096, 4096), "bf16")
w = Parameter((4096, 4096), "bf16")
h = matmul(x, w)
strategy(h, m="dp", n="tp")  # by hand
`;

const meshes = (source: string, devices = 8) => rowsOf({ survey: "meshes", source, devices });

function exampleNamed(name: string): string {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return exampleText(example);
}

const axesText = ({ axes }: SurveyRow) => axes.map(({ name, size }) => `${name}=${size}`).join(" ");

describe("a survey of meshes", () => {
  test("plans every mesh of as many devices; each text takes what was told", () => {
    const { rows, end } = meshes(head);
    expect(rows.map(axesText)).toEqual(["dp=8", "dp=4 tp=2", "dp=2 tp=2 pp=2"]);
    expect(end.kind).toBe("surveyed");
    for (const { answer, axes } of rows) {
      if (answer.kind !== "planned") throw new Error(answer.message);
      const { mesh, cost, memory, diagnostics } = compileText(answer.source ?? "");
      expect(hasErrors(diagnostics)).toBe(false);
      expect(mesh.mesh.axes).toMatchObject(axes);
      expect(cost.seconds).toBeCloseTo(answer.seconds, 12);
      expect(memory.peakBytes).toBe(answer.bytes);
      expect(answer.source).toContain("# by hand");
    }
  });

  test.each(["megatron-mlp", "two-matmuls", "mindspore-net"])(
    "%s: every mesh has a text that compiles, or says why it has none",
    (name) => {
      const source = exampleNamed(name);
      const devices = compileText(source).mesh.mesh.devices.length;
      for (const { answer, axes } of meshes(source, devices).rows) {
        if (answer.kind !== "planned") continue;
        const { mesh, cost, diagnostics } = compileText(answer.source ?? "");
        expect(hasErrors(diagnostics)).toBe(false);
        expect(mesh.mesh.axes).toMatchObject(axes);
        expect(cost.seconds).toBeCloseTo(answer.seconds, 12);
      }
    },
  );

  test("counts another number of devices", () => {
    expect(meshes(head, 4).rows.map(axesText)).toEqual(["dp=4", "dp=2 tp=2"]);
    expect(meshes(head, 1).end).toMatchObject({ kind: "refused" });
  });

  test("keeps pinned axes, and axes that pinned operators need; what cannot be is said", () => {
    const kept = meshes(`${head}pin("tp")\n`).rows;
    expect(kept.map(axesText)).toEqual(["=8", "tp=4 dp=2", "=2 =2 =2"]);
    expect(kept[0]?.answer).toMatchObject({ message: 'pin("tp") keeps the axis tp at 4' });
    const pinned = meshes(`${head}pin(h)\n`).rows;
    expect(pinned[0]?.answer).toMatchObject({ message: expect.stringContaining("dp, tp") });
    expect(pinned.slice(1).map(({ answer }) => answer.kind)).toEqual(["planned", "planned"]);
    expect(meshes(`${head}pin(mesh)\n`).end).toMatchObject({ kind: "refused" });
  });

  test("writes a mesh into a text that has one only by its tuples, or says why not", () => {
    for (const { answer } of meshes(exampleNamed("mindspore-layouts-two")).rows) {
      expect(answer.kind === "planned" ? "" : answer.message).toMatch(/Layout|^$/);
    }
  });
});

describe("a survey of limits", () => {
  test("goes from the fastest plan to the leanest, none above its limit", () => {
    const { rows } = rowsOf({ survey: "limits", source: exampleNamed("two-matmuls") });
    expect(rows.length).toBeGreaterThan(2);
    const [fastest] = rows;
    for (const { limit, answer } of rows) {
      if (answer.kind !== "planned" || fastest?.answer.kind !== "planned") throw new Error("none");
      expect(answer.bytes).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
      expect(answer.seconds).toBeGreaterThanOrEqual(fastest.answer.seconds);
      expect(compileText(answer.source ?? "").memory.peakBytes).toBe(answer.bytes);
    }
  });
});
