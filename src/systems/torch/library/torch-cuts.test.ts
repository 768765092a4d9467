import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Compiled, compile } from "#compile";
import { printLayout } from "#core/mesh";
import { flatSteps } from "#core/program";

/** Calls that mean the same, and what pieces of their operands make; `engines/record_torch_cuts.py` asks PyTorch. */
interface Row {
  readonly forms: readonly string[];
  readonly results?: number;
  /** By the letter that is cut: of every result the dim along which pieces of it lie, or how they join. */
  readonly cuts: Readonly<Record<string, string>>;
  /** Why what is planned is not that. */
  readonly except?: Readonly<Record<string, string>>;
}

interface Operand {
  readonly dims: string;
  readonly values: string;
}

interface Table {
  readonly sizes: Readonly<Record<string, number>>;
  readonly operands: Readonly<Record<string, Operand>>;
  readonly rows: readonly Row[];
}

const { sizes, operands, rows }: Table = JSON.parse(
  readFileSync("src/systems/torch/library/torch-cuts.json", "utf8"),
);

const dtypes: Readonly<Record<string, string>> = { bool: "bool", index: "int64", range: "int64" };

function dimsOf(name: string): readonly string[] {
  return operands[name]?.dims.split(" ") ?? [];
}

function operandsOf(form: string): readonly string[] {
  const isUsed = (name: string) => new RegExp(`(?<![\\w.])${name}(?!\\w|\\s*=[^=])`).test(form);
  return Object.keys(operands).filter(isUsed);
}

/** A program whose operands are cut wherever they have the letter. */
function programOf(form: string, cut: string, results: number): string {
  const names = operandsOf(form);
  const made = names.map((name) => {
    const shape = dimsOf(name).map((dim) => `${sizes[dim] ?? dim},`);
    const dtype = dtypes[operands[name]?.values.split(" ")[0] ?? ""];
    return `${name} = Tensor((${shape.join(" ")})${dtype === undefined ? "" : `, "${dtype}"`})`;
  });
  const placed = names.flatMap((name) => {
    const dims = dimsOf(name).map((dim) => (dim === cut ? '"t"' : '"None"'));
    return dims.includes('"t"') ? [`place(${name}, layout(${dims.join(", ")}))`] : [];
  });
  const head = ["import torch", "from torch import nn", "import torch.nn.functional as F"];
  const targets = resultNames(results).join(", ");
  return [...head, "mesh = Mesh(t=4)", ...made, ...placed, `${targets} = ${form}`, ""].join("\n");
}

function resultNames(results: number): readonly string[] {
  return Array.from({ length: results }, (_, at) => `out${at}`);
}

type Planned = ReturnType<typeof planned>;

const known = new Map<string, Planned>();

function plannedOf(form: string, cut: string, results: number): Planned {
  const made = known.get(`${cut} ${form}`) ?? planned(form, cut, results);
  known.set(`${cut} ${form}`, made);
  return made;
}

/** The layouts of the results, and every step that sends something. */
function planned(form: string, cut: string, results: number) {
  const compiled = compile(programOf(form, cut, results));
  const errors = compiled.diagnostics.filter(({ severity }) => severity === "error");
  const sent = flatSteps(compiled.program).flatMap((step) =>
    step.kind === "collective" && step.collective !== "slice" ? [step.collective] : [],
  );
  const layouts = resultNames(results).map((name) => layoutOf(compiled, name));
  return { errors: errors.map(({ message }) => message), sent, layouts };
}

/** A result that is its operand has no name of its own. */
function layoutOf({ graph, tensors }: Compiled, name: string): string | undefined {
  const made = graph.operators.length === 0 ? graph.tensors[0] : undefined;
  const tensor = graph.tensors.find((each) => each.name === name) ?? made;
  if (tensor === undefined || tensor.isUnknown === true) return undefined;
  const view = tensors.find((each) => each.tensor === tensor.id);
  return view && printLayout(view.layout);
}

/** Whether pieces of a result lie along the dim that a verdict names. */
function liesAlong(layout: string | undefined, verdict: string): boolean {
  if (layout === undefined) return false;
  return !/^\d+$/.test(verdict) || layout.split("|")[0]?.split(",")[Number(verdict)] === "t";
}

/** What a form does otherwise under a cut than pieces of its operands do. */
function faultsOf(form: string, cut: string, { cuts, results = 1 }: Row): readonly string[] {
  const verdicts = cuts[cut]?.split(" ") ?? [];
  const { errors, sent, layouts } = plannedOf(form, cut, results);
  const joined = new Set(["all-reduce", "reduce-scatter"]);
  const said = (text: string) => [`${form} cut along ${cut}: ${text}`];
  if (errors.length > 0) return said(errors.join());
  if (verdicts.includes("whole"))
    return sent.length > 0 ? [] : said("nothing is sent, but no piece makes its part");
  const isApart = verdicts.every((verdict) => /^\d+$/.test(verdict) || verdict === "same");
  const needless = isApart ? sent : sent.filter((collective) => !joined.has(collective));
  if (needless.length > 0) return said(needless.join());
  const isKept = verdicts.every((verdict, at) => liesAlong(layouts[at], verdict));
  return isKept ? [] : said(`${layouts.join(" ")} instead of ${verdicts.join(" ")}`);
}

test.each(rows.map((row) => [row.forms[0], row] as const))(
  "%s sends what its mathematics asks for, in each of its forms, along every dim",
  (_, row) => {
    const cuts = Object.keys(row.cuts).filter((cut) => row.except?.[cut] === undefined);
    const faults = row.forms.flatMap((form) => {
      const own = new Set(operandsOf(form).flatMap(dimsOf));
      return cuts.filter((cut) => own.has(cut)).flatMap((cut) => faultsOf(form, cut, row));
    });
    expect(faults).toEqual([]);
  },
);

// What no longer differs needs no reason.
test.each(
  rows.flatMap(({ except, ...row }) => (except ? [[row.forms[0], row, except] as const] : [])),
)("%s has reasons only where it does otherwise", (form = "", row, except) => {
  const idle = Object.keys(except).filter((cut) => faultsOf(form, cut, row).length === 0);
  expect(idle).toEqual([]);
});

// Twins agree: what has the same meaning lies in the same way.
test.each(rows.filter(({ forms }) => forms.length > 1).map((row) => [row.forms[0], row] as const))(
  "all forms of %s lie alike and send alike",
  (_, { forms, cuts, results = 1 }) => {
    for (const cut of Object.keys(cuts)) {
      const seen = forms
        .filter((form) => operandsOf(form).flatMap(dimsOf).includes(cut))
        .map((form) => {
          const { sent, layouts } = plannedOf(form, cut, results);
          return JSON.stringify([layouts, sent]);
        });
      expect([...new Set(seen)].length, `${cut}: ${seen.join(" ")}`).toBeLessThan(2);
    }
  },
);
