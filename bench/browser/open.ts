import { models } from "#app/examples";
import { gptTraining } from "../programs.ts";
import { onFreshPage, type Site } from "./page.ts";
import { rounds, type Timing } from "./timing.ts";

/** Time of a first visit by the link of a real net, until its rows and figures are painted. */
export async function* open(site: Site): AsyncGenerator<Timing> {
  for (const { what, program, aim } of nets()) {
    const figures: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      figures.push(await onFreshPage(site, { program }, (page) => page.evaluate(boardPainted)));
    yield { name: `browser: a link to its painted board, ${what}`, unit: "ms", aim, figures };
  }
}

/** Nets, with the time limit (ms) for painting their boards. */
function nets() {
  const llama = models.find(({ name }) => name === "llama3-70b");
  if (llama === undefined) throw new Error("the gallery has no llama3-70b");
  return [
    { what: "a step of 96 layers", program: gptTraining(96), aim: 2_000 },
    { what: "a step of Llama 3 70B", program: llama.program, aim: 1_000 },
  ];
}

/**
 * Runs in the page: time from navigation start until rows are present and the cost bar has figures.
 */
function boardPainted(): Promise<number> {
  return new Promise((resolve) => {
    const hasRows = () => document.querySelector(".bcard") !== null;
    const hasFigures = () => /\d (m?s|µs)/.test(document.querySelector(".hud")?.textContent ?? "");
    const look = () => {
      if (hasRows() && hasFigures()) setTimeout(() => resolve(performance.now()));
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}
