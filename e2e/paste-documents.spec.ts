import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { firstExample, onOnePage, perCase } from "./one-page.ts";
import { type PlanPage, planPage } from "./plan-page.ts";

/**
 * The expectations of a program: its operators, tensors and collectives, or the system that refuses
 * it.
 */
interface Case {
  readonly id: string;
  readonly request: {
    readonly command: string;
    readonly args: { readonly program?: string; readonly tensor?: string };
  };
  readonly expected: {
    readonly ok?: boolean;
    readonly no_errors?: boolean;
    readonly upstream?: string;
    readonly diagnostics_any?: readonly string[];
    readonly operators?: readonly { readonly name?: string; readonly op?: string }[];
    readonly tensors?: readonly { readonly name?: string }[];
    readonly collectives?: readonly { readonly collective: string; readonly tensor?: string }[];
    readonly $ranges?: Readonly<Record<string, readonly (readonly [number, number])[]>>;
  };
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(
  readFileSync("conformance/seeds.json", "utf8"),
);

/** The main code blocks of each document, by the ids of their expectations. */
const documents: Readonly<Record<string, readonly string[]>> = {
  "nnScaler's page on registering functions": [
    "000-L13-operator-called",
    "000-L59-reshape-1024x8-h-passed",
    "000-L76-register-matmul",
    "000-L93-PAS-n-4-gpus",
    "000-L93-PAS-frozen-dimension",
    "000-L96-PAS-alone",
  ],
  "the same page in another hand": [
    "001-L58-reshape-plain-indented",
    "001-L86-curly-quotes-in-code",
    "001-L86-curly-quotes-in-PAS",
  ],
  "nnScaler's page on register_op": [
    "002-L10-instance-norm-functional-unregistered",
    "002-L22-instance-norm-split-n",
    "002-L45-register-op-signature",
    "002-L73-register-form-call-called",
    "002-L83-register-form-decorator-default",
    "002-L90-register-form-annotation-function",
    "002-L134-autograd-function-called",
    "002-L150-autograd-function-registered-by-apply",
    "002-L164-torch-compile-called",
    "002-L276-inplace-as-printed",
    "002-L285-inplace-right-used",
    "002-L298-optional-replicated-with",
    "002-L315-optional-annotation-function-with",
  ],
  "MindSpore's page on operator-level parallelism": [
    "003-L9-logical-data-parallelism",
    "003-L11-mint-operators",
    "003-L33-unset-operator-forces-redistribution",
    "003-L49-strategy-error-list",
    "003-L70-two-matmul-with-sizes",
    "003-L86-layout-discontiguous",
    "003-L121-higher-order-matmul-with-sizes",
  ],
};

/** All expectations of one program, with its text. */
function saidOf(block: string): { readonly program: string; readonly said: readonly Case[] } {
  const said = cases.filter(({ id }) => id === block || id.startsWith(`${block}/`));
  const program = said.find(({ request }) => request.args.program)?.request.args.program;
  if (program === undefined) throw new Error(`no program is called ${block}`);
  return { program, said };
}

async function pasteBlock(plan: PlanPage, block: string): Promise<void> {
  const { program, said } = saidOf(block);
  await plan.selectProgram();
  await plan.paste(program);
  for (const { expected, request } of said) {
    if (request.args.program !== undefined) await expectVerdict(plan.page, expected);
    for (const { name } of expected.operators ?? []) {
      if (name !== undefined) await expect(plan.page.getByTestId(`operator-${name}`)).toBeVisible();
    }
    for (const { name } of expected.tensors ?? []) {
      if (name !== undefined) await expect(plan.page.getByTestId(`tensor-${name}`)).toBeVisible();
    }
    for (const { collective, tensor } of expected.collectives ?? []) {
      const sentence = plan.page.getByTestId("outline").getByText(`Redistribution of ${tensor}`);
      await expect(sentence.first()).toContainText(collective);
    }
    const { tensor } = request.args;
    if (request.command === "slices" && tensor !== undefined && expected.$ranges !== undefined) {
      expect(await plan.ranges(tensor), tensor).toEqual(Object.values(expected.$ranges));
    }
  }
  const isDrawn = said.some(({ request, expected }) => {
    return request.command === "plan" && expected.no_errors === true;
  });
  if (isDrawn) {
    await expect(plan.page.locator("[data-testid^=operator-]").first()).toBeVisible();
  }
}

/**
 * No error where the text runs; else errors at their places, with the exceptions that the system
 * would raise.
 */
async function expectVerdict(page: Page, expected: Case["expected"]): Promise<void> {
  const errors = page.getByTestId("problems").locator("[data-severity=error]");
  if (expected.no_errors === true) await expect(errors).toHaveCount(0);
  if (expected.ok === false) await expect(errors.first().locator(".where")).toBeVisible();
  if (expected.upstream !== undefined) {
    await expect(page.getByTestId("problems")).toContainText(expected.upstream);
  }
}

test(
  "documents are pasted",
  onOnePage({
    ...perCase(
      Object.entries(documents),
      ([title]) => `the code of ${title} runs as pasted`,
      async ({ page }, [, blocks]) => {
        const plan = planPage(page);
        await plan.open(firstExample);
        for (const block of blocks) await test.step(block, () => pasteBlock(plan, block));
      },
    ),

    "whole pages pasted with their prose leave the application usable": async ({ page }) => {
      const plan = planPage(page);
      await plan.open(firstExample);
      const good = await plan.program();
      await plan.selectProgram();
      for (const block of [
        "000-L1-whole-document-pasted",
        "002-L1-whole-document-pasted",
        "003-L1-whole-document-pasted",
      ]) {
        await plan.paste(saidOf(block).program);
        await expectVerdict(page, { ok: false });
        await page.keyboard.press("Control+A");
      }
      await plan.paste(good);
      await expect(page.getByTestId("tensor-h")).toBeVisible();
      await expectVerdict(page, { no_errors: true });
    },
  }),
);
