import { expect, test } from "vitest";
import { casesOf, shortfalls } from "./conformance.testing.ts";
import { evaluateAnswer } from "./evaluate.ts";

test("every case of the Python subset holds", () => {
  const cases = casesOf("python", "evaluate");
  expect(cases.length).toBe(81);
  const failed = cases.flatMap(({ id, request, expected }) => {
    const { $within: _, ...fields } = expected;
    const lacking = shortfalls(evaluateAnswer(request.args), fields);
    return lacking.length === 0 ? [] : [{ id, args: request.args, lacking }];
  });
  expect(failed).toEqual([]);
});

test("a request without a program is refused", () => {
  expect(evaluateAnswer({})).toMatchObject({
    ok: false,
    diagnostics: [{ code: "cli/bad-request" }],
  });
});

test("values travel as JSON, and what was printed beside them", () => {
  const program = "print('a', 1)\n{'big': 2 ** 60, 'set': {1}, 'none': None, 3: float('inf')}";
  expect(evaluateAnswer({ program })).toMatchObject({
    ok: true,
    output: "a 1\n",
    value: { big: "1152921504606846976", set: [1], none: null, "3": "inf" },
  });
});

test("a layout of the host answers as its to_dict()", () => {
  const layout = {
    kind: "host" as const,
    data: undefined,
    type: {
      name: "Layout",
      attribute: (_self: unknown, name: string) =>
        name === "to_dict"
          ? {
              kind: "host-function" as const,
              name,
              call: () => ({
                kind: "tuple" as const,
                items: [{ kind: "int" as const, value: 4n }],
              }),
            }
          : undefined,
    },
  };
  const host = { globals: new Map([["layout", layout]]) };
  expect(evaluateAnswer({ program: "[layout]" }, host)).toMatchObject({ ok: true, value: [[4]] });
});

test("a value that would be written out without end is refused, one that is merely nested is not", () => {
  const nested = (levels: number) => `t = (1,)\nfor i in range(${levels}): t = (t, t)\nt`;
  expect(evaluateAnswer({ program: nested(60) })).toMatchObject({
    ok: false,
    diagnostics: [{ code: "limits/too-large" }],
  });
  expect(evaluateAnswer({ program: nested(3) }).ok).toBe(true);
  expect(evaluateAnswer({ program: "[1 << 1000000] * 1000" }).ok).toBe(false);
});
