import { gptTraining } from "../programs.ts";
import { onFreshPage, type Site } from "./page.ts";
import { rounds, type Timing } from "./timing.ts";

/** A first visit by the link of a real net: until its rows and its figures have been painted. */
export async function* open(site: Site): AsyncGenerator<Timing> {
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const program = gptTraining(96);
    figures.push(await onFreshPage(site, { program }, (page) => page.evaluate(boardPainted)));
  }
  const name = "browser: a link to its painted board, a step of 96 layers";
  yield { name, unit: "ms", aim: 2_000, figures };
}

/** Runs in the page: when rows stand there and the cost bar has figures, since the visit began. */
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
