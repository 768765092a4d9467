import { everyExample } from "#app/examples";
import { type Opened, readFragment } from "#app/share";
import type { Diagnostic } from "#core/diagnostics";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { refusal } from "./refusal.ts";

/** Version of links in a plain form, which carry no version. */
const plainVersion = 1;

/**
 * `open`: the program in a link, with its plan text if it is a graph; the link is a fragment or a
 * whole address.
 */
export function openAnswer(args: Arguments): Answer {
  const { link } = args;
  if (typeof link !== "string") return badRequest('"link" must be a text');
  const fragment = readFragment(link);
  switch (fragment.kind) {
    case "document":
      return opened(fragment);
    case "source":
      return { ok: true, program: fragment.text, version: plainVersion, diagnostics: [] };
    case "example":
      return exampleNamed(fragment.name);
    case "none":
      return notALink("there is nothing behind # in this link");
    case "refused":
      return refusal(fragment);
  }
}

function opened({ document, version, dropped }: Opened): Answer {
  const { text: program, plan: planText, ...rest } = document;
  const diagnostics = dropped.map(
    (key): Diagnostic => ({
      code: "share/unknown-key",
      severity: "warning",
      message: `the link carries "${key}", which means nothing here and was left out`,
    }),
  );
  const beside = planText === undefined ? {} : { planText };
  return { ok: true, program, ...beside, ...rest, version, diagnostics };
}

function exampleNamed(name: string): Answer {
  const example = everyExample.find((each) => each.name === name);
  if (example === undefined) {
    const names = everyExample.map((each) => each.name).join(", ");
    return notALink(`there is no example ${JSON.stringify(name)}; there are ${names}`);
  }
  const { program, plan: planText } = example;
  const beside = planText === undefined ? {} : { planText };
  return { ok: true, program, ...beside, version: plainVersion, diagnostics: [] };
}

function notALink(message: string): Answer {
  return refusal({ kind: "refused", refusal: "not-a-link", message });
}
