import { playedSteps } from "#app/scene/player";
import {
  legendPicture,
  meshPicture,
  type PictureLook,
  planPicture,
  stepPictures,
  tensorPicture,
} from "#app/scene/svg";
import { planHead, planTables } from "#app/scene/text";
import { packed } from "#app/share";
import type { Compiled } from "#compile";
import style from "./viewer.css?raw";
import script from "./viewer.js?raw";

/** Most bytes of the page, so that every mail server accepts it. */
const mostBytes = 700_000;

/** Picture with the part of the page that it belongs to. */
export interface Slide {
  readonly part: string;
  readonly title: string;
  readonly svg: string;
}

/** Contents of a page. */
export interface PageContent {
  readonly compiled: Compiled;
  readonly title: string;
  /** URL that opens the plan in the app, with the plan in its fragment. */
  readonly address: string;
  readonly theme: "light" | "dark";
  /** Lesson as HTML, and its pictures. */
  readonly lesson?: { readonly html: string; readonly slides: readonly Slide[] };
}

/** Most steps and tensors that have a picture of their own. */
const [mostSteps, mostTensors] = [200, 60];
const largeTensors = 1_500;

/**
 * Amounts of detail, the largest first; a page that exceeds the limit is made with the next one.
 */
const shares = [
  { hops: "ring", steps: mostSteps, tensors: mostTensors, hasTables: true },
  { hops: "logical", steps: mostSteps, tensors: mostTensors, hasTables: true },
  { hops: "logical", steps: 60, tensors: 20, hasTables: true },
  { hops: "logical", steps: 30, tensors: 8, hasTables: false },
  { hops: "logical", steps: 0, tensors: 0, hasTables: false },
] as const;

/**
 * One HTML file with the plan, its pictures and their viewer, which needs no network and states
 * what was left out. `undefined` if even the text and the whole picture exceed the limit.
 */
export function onePage(content: PageContent): string | undefined {
  const { compiled, theme } = content;
  const look: PictureLook = { theme };
  const whole = [
    { part: "Plan", title: "The whole plan", svg: planPicture(compiled, look) },
    { part: "Plan", title: "Mesh", svg: meshPicture(compiled, look) },
    { part: "Plan", title: "Legend", svg: legendPicture(compiled, look) },
  ];
  // Hop pictures of a large plan never fit and take long to draw.
  const isLarge = compiled.program.graph.tensors.length > largeTensors;
  for (const share of isLarge ? shares.slice(1) : shares) {
    const page = pageOf(content, share, whole);
    if (new TextEncoder().encode(page).length <= mostBytes) return page;
  }
  return undefined;
}

function pageOf(
  content: PageContent,
  share: (typeof shares)[number],
  whole: readonly Slide[],
): string {
  const { compiled, title, address, theme, lesson } = content;
  const { slides, left } = slidesOf(content, share, whole);
  const notes = [
    planHead(compiled),
    "Numbers are of a model.",
    ...(left === "" ? [] : [`Left out, because this page would be too large: ${left}.`]),
  ];
  return `<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="generator" content="Shardboard">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p class="note">${notes.map(escaped).join(" ")} <a href="${escaped(address)}" rel="noopener">Open it as a board</a></p>
${lesson?.html ?? ""}
<nav aria-label="Pictures"><button type="button" id="back">Back</button><select id="list" aria-label="Picture"></select><button type="button" id="forth">Forth</button></nav>
<figure><figcaption><h2 id="caption" aria-live="polite"></h2></figcaption><div id="drawing" tabindex="0" role="group" aria-label="Drawing"></div></figure>
<details open><summary>Program</summary><pre>${escaped(compiled.source)}</pre></details>
<details><summary>Tables</summary><div id="tables"></div></details>
<button type="button" id="blank" aria-label="The screen is blank. Show it again" hidden></button>
</main>
<noscript>The pictures need JavaScript.</noscript>
<script type="text/plain" id="packed">${packed(JSON.stringify({ slides, tables: share.hasTables ? tablesOf(compiled) : "" }))}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

function slidesOf(
  { compiled, lesson, theme }: PageContent,
  { hops, steps, tensors, hasTables }: (typeof shares)[number],
  whole: readonly Slide[],
): { readonly slides: readonly Slide[]; readonly left: string } {
  const look: PictureLook = { theme };
  const played = steps === 0 ? [] : stepPictures(compiled, look, { hops, most: steps });
  const all = compiled.program.graph.tensors;
  const stops = playedSteps(compiled.program).length;
  const drawn = all.slice(0, tensors).flatMap(({ id, name }) => {
    const svg = tensorPicture(compiled, id, look);
    return svg === undefined ? [] : [{ part: "Tensors", title: name, svg }];
  });
  const slides = [
    ...whole,
    ...(lesson?.slides ?? []),
    ...played.map(({ title, text }) => ({ part: "Steps", title, svg: text })),
    ...drawn,
  ];
  const left = [
    ...(hops === "ring" ? [] : ["the hops of collectives"]),
    ...(steps === 0
      ? ["the steps"]
      : stops > steps
        ? [`all but the first ${steps} of ${stops} steps`]
        : []),
    ...(all.length > tensors ? [`all but ${tensors} of ${all.length} tensors`] : []),
    ...(hasTables ? [] : ["the tables"]),
  ];
  return { slides, left: left.join("; ") };
}

function tablesOf(compiled: Compiled): string {
  return planTables(compiled)
    .map(({ title, head, rows }) => {
      const headRow = head.map((cell) => `<th scope="col">${escaped(cell)}</th>`).join("");
      const body = rows.map(
        (row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join("")}</tr>`,
      );
      return `<h2>${escaped(title)}</h2><div class="wide"><table><tr>${headRow}</tr>${body.join("")}</table></div>`;
    })
    .join("\n");
}

/** Text with HTML's special characters escaped. */
export function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
